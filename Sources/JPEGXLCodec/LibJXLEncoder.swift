internal import CLibJXL
internal import Raster

/// An encoder of libjxl; the one place that calls the library to encode.
@safe
struct LibJXLEncoder: ~Copyable {
  private let encoder: OpaquePointer

  private init(taking encoder: OpaquePointer) {
    unsafe self.encoder = encoder
  }

  deinit {
    // The handle is this value's own.
    unsafe JxlEncoderDestroy(encoder)
  }

  /// The version of the library that is loaded, as its users write it.
  static var version: String {
    // 7000 is 0.7.0.
    let number = JxlEncoderVersion()
    return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
  }

  static func create() throws(JPEGXLError) -> LibJXLEncoder {
    guard let encoder = unsafe JxlEncoderCreate(nil) else { throw .unavailable }
    return unsafe LibJXLEncoder(taking: encoder)
  }

  /// Encodes one picture of 16-bit samples of full scale; an encoder is used once.
  borrowing func encode(
    _ samples: Span<UInt16>,
    size: PixelSize,
    channels: Int,
    bits: Int,
    distance: Float?,
    effort: Int
  ) throws(JPEGXLError) -> [UInt8] {
    try describe(size: size, channels: channels, bits: bits)
    // The settings belong to the encoder and go with it.
    guard let settings = unsafe JxlEncoderFrameSettingsCreate(encoder, nil) else {
      throw .unavailable
    }
    try require(
      unsafe JxlEncoderFrameSettingsSetOption(
        settings,
        JXL_ENC_FRAME_SETTING_EFFORT,
        Int64(effort)
      ),
      "effort"
    )
    if let distance {
      try require(unsafe JxlEncoderSetFrameDistance(settings, distance), "distance")
    } else {
      try require(unsafe JxlEncoderSetFrameLossless(settings, 1), "lossless")
    }
    var pixel = JxlPixelFormat(
      num_channels: UInt32(channels),
      data_type: JXL_TYPE_UINT16,
      endianness: JXL_NATIVE_ENDIAN,
      align: 0
    )
    // The library copies the samples before the call returns.
    let status = unsafe samples.withUnsafeBufferPointer { source in
      unsafe JxlEncoderAddImageFrame(
        settings,
        &pixel,
        source.baseAddress,
        source.count * MemoryLayout<UInt16>.stride
      )
    }
    try require(status, "samples")
    unsafe JxlEncoderCloseInput(encoder)
    return try output(reserving: samples.count)
  }

  private borrowing func describe(
    size: PixelSize,
    channels: Int,
    bits: Int
  ) throws(JPEGXLError) {
    var info = JxlBasicInfo()
    unsafe JxlEncoderInitBasicInfo(&info)
    info.xsize = UInt32(clamping: size.width)
    info.ysize = UInt32(clamping: size.height)
    info.bits_per_sample = UInt32(bits)
    info.num_color_channels = UInt32(channels)
    // No conversion to the library's own space, which a camera's colours need not fit.
    info.uses_original_profile = 1
    try require(unsafe JxlEncoderSetBasicInfo(encoder, &info), "basic information")
    // Raw samples have no space; readers of DNG ignore what stands here.
    var color = JxlColorEncoding()
    unsafe JxlColorEncodingSetToSRGB(&color, channels == 1 ? 1 : 0)
    try require(unsafe JxlEncoderSetColorEncoding(encoder, &color), "colour encoding")
  }

  private borrowing func output(reserving count: Int) throws(JPEGXLError) -> [UInt8] {
    var stream = [UInt8](repeating: 0, count: max(4096, count))
    var written = 0
    while true {
      let (status, left) = unsafe stream.withUnsafeMutableBufferPointer { buffer in
        // The pointer stays within the buffer: the library says how much of it is left.
        var next = unsafe buffer.baseAddress.map { unsafe $0 + written }
        var available = buffer.count - written
        let status = unsafe JxlEncoderProcessOutput(encoder, &next, &available)
        return (status, available)
      }
      written = stream.count - left
      switch status {
      case JXL_ENC_SUCCESS: return Array(stream[..<written])
      case JXL_ENC_NEED_MORE_OUTPUT: stream += [UInt8](repeating: 0, count: stream.count)
      default: throw .encoding("the library failed")
      }
    }
  }

  private func require(_ status: JxlEncoderStatus, _ what: String) throws(JPEGXLError) {
    guard status == JXL_ENC_SUCCESS else { throw .encoding("the library refuses the \(what)") }
  }
}
