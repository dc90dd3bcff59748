internal import CLibJXL
internal import Raster

/// A decoder of libjxl; the one place that calls the library to decode.
@safe
struct LibJXLDecoder: ~Copyable {
  private let decoder: OpaquePointer

  private init(taking decoder: OpaquePointer) {
    unsafe self.decoder = decoder
  }

  deinit {
    // The handle is this value's own.
    unsafe JxlDecoderDestroy(decoder)
  }

  static func create() throws(JPEGXLError) -> LibJXLDecoder {
    guard let decoder = unsafe JxlDecoderCreate(nil) else { throw .unavailable }
    return unsafe LibJXLDecoder(taking: decoder)
  }

  /// Decodes one stream; integers come stretched to 16 bits.
  ///
  /// A decoder is used once.
  borrowing func decode(
    _ bytes: Span<UInt8>,
    size: PixelSize,
    channels: Int,
    into samples: inout [UInt16]
  ) throws(JPEGXLError) -> JPEGXLSampleFormat {
    let events = [JXL_DEC_BASIC_INFO, JXL_DEC_FRAME, JXL_DEC_FULL_IMAGE]
    let mask = events.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) }
    // Samples come as they are coded: not turned, layers not laid over each other.
    guard
      unsafe JxlDecoderSubscribeEvents(decoder, mask) == JXL_DEC_SUCCESS,
      unsafe JxlDecoderSetKeepOrientation(decoder, 1) == JXL_DEC_SUCCESS,
      unsafe JxlDecoderSetCoalescing(decoder, 0) == JXL_DEC_SUCCESS
    else { throw .unavailable }
    // The input and the samples stay where they are while the library works: until this closure ends,
    // after which the decoder is not used again.
    return try unsafe bytes.withUnsafeBufferPointer { (source) throws(JPEGXLError) in
      guard
        unsafe JxlDecoderSetInput(decoder, source.baseAddress, source.count) == JXL_DEC_SUCCESS
      else { throw .damaged }
      unsafe JxlDecoderCloseInput(decoder)
      return try run(size: size, channels: channels, into: &samples)
    }
  }

  private borrowing func run(
    size: PixelSize,
    channels: Int,
    into samples: inout [UInt16]
  ) throws(JPEGXLError) -> JPEGXLSampleFormat {
    guard try next() == JXL_DEC_BASIC_INFO else { throw .damaged }
    let format = try checkBasicInfo(size: size, channels: channels)
    guard try next() == JXL_DEC_FRAME else { throw .damaged }
    try checkFrame(size: size)
    guard try next() == JXL_DEC_NEED_IMAGE_OUT_BUFFER else { throw .damaged }
    let count = size.width * size.height * channels
    if samples.count != count { samples = [UInt16](repeating: 0, count: count) }
    var pixel = JxlPixelFormat(
      num_channels: UInt32(channels),
      data_type: format == .half ? JXL_TYPE_FLOAT16 : JXL_TYPE_UINT16,
      endianness: JXL_NATIVE_ENDIAN,
      align: 0
    )
    return try unsafe samples.withUnsafeMutableBufferPointer { (target) throws(JPEGXLError) in
      // The library writes into the buffer until it reports the whole picture, below.
      guard
        unsafe JxlDecoderSetImageOutBuffer(
          decoder,
          &pixel,
          target.baseAddress,
          target.count * MemoryLayout<UInt16>.stride
        ) == JXL_DEC_SUCCESS
      else { throw .damaged }
      guard try next() == JXL_DEC_FULL_IMAGE else { throw .damaged }
      guard try next() == JXL_DEC_SUCCESS else { throw .severalFrames }
      return format
    }
  }

  /// What the library says next.
  private borrowing func next() throws(JPEGXLError) -> JxlDecoderStatus {
    let status = unsafe JxlDecoderProcessInput(decoder)
    if status == JXL_DEC_ERROR { throw .damaged }
    if status == JXL_DEC_NEED_MORE_INPUT { throw .truncated }
    return status
  }

  private borrowing func checkBasicInfo(
    size: PixelSize,
    channels: Int
  ) throws(JPEGXLError) -> JPEGXLSampleFormat {
    var info = JxlBasicInfo()
    guard unsafe JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else { throw .damaged }
    let picture = PixelSize(width: Int(info.xsize), height: Int(info.ysize))
    guard picture == size, info.num_color_channels == UInt32(clamping: channels) else {
      throw .otherShape(picture: picture, channels: Int(info.num_color_channels))
    }
    guard info.num_extra_channels == 0 else {
      throw .extraChannels(Int(info.num_extra_channels))
    }
    guard info.have_animation == 0 else { throw .severalFrames }
    let bits = Int(info.bits_per_sample)
    let exponentBits = Int(info.exponent_bits_per_sample)
    switch (bits, exponentBits) {
    case (1...16, 0): return .integer(bits: bits)
    case (16, 5): return .half
    default: throw .unsupportedSamples(bits: bits, exponentBits: exponentBits)
    }
  }

  private borrowing func checkFrame(size: PixelSize) throws(JPEGXLError) {
    var header = JxlFrameHeader()
    guard unsafe JxlDecoderGetFrameHeader(decoder, &header) == JXL_DEC_SUCCESS else {
      throw .damaged
    }
    let frame = PixelSize(
      width: Int(header.layer_info.xsize),
      height: Int(header.layer_info.ysize)
    )
    guard header.is_last != 0, header.layer_info.have_crop == 0, frame == size else {
      throw .severalFrames
    }
  }
}
