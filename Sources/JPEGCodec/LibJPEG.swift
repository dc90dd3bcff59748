internal import CLibJPEG
internal import Glibc
internal import Raster

/// The one place that calls libjpeg-turbo, by functions of `shim.c` that end its longjmp in C.
enum LibJPEG {
  /// Decodes a stream into `samples`, which has room for the picture.
  static func decode(
    _ bytes: Span<UInt8>,
    tables: [UInt8]?,
    size: PixelSize,
    components: Int,
    convertsYCC: Bool,
    into samples: inout [UInt8]
  ) throws(JPEGError) {
    guard let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height) else {
      throw .otherShape(frame: PixelSize(width: 0, height: 0), components: 0)
    }
    precondition(samples.count >= size.width * size.height * components, "room for the picture")
    var call = unsafe rawmill_jpeg_decoding()
    unsafe call.width = width
    unsafe call.height = height
    unsafe call.components = Int32(clamping: components)
    unsafe call.converts_ycc = convertsYCC ? 1 : 0
    // All pointers are used during the call only; the library stays within the counts.
    let status = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe samples.withUnsafeMutableBufferPointer { target in
        unsafe call.bytes = source.baseAddress
        unsafe call.byte_count = source.count
        unsafe call.samples = target.baseAddress
        guard let tables else { return unsafe rawmill_jpeg_decode(&call) }
        return unsafe tables.withUnsafeBufferPointer { tables in
          unsafe call.tables = tables.baseAddress
          unsafe call.tables_size = tables.count
          return unsafe rawmill_jpeg_decode(&call)
        }
      }
    }
    switch status {
    case RAWMILL_JPEG_OK: return
    case RAWMILL_JPEG_OTHER_SHAPE:
      throw unsafe .otherShape(
        frame: PixelSize(width: Int(call.frame_width), height: Int(call.frame_height)),
        components: Int(call.frame_components)
      )
    case RAWMILL_JPEG_LIMIT: throw unsafe .limit(text(call.message))
    default: throw unsafe .damaged(text(call.message))
    }
  }

  /// Encodes a picture whose shape was checked.
  static func encode(
    _ samples: Span<UInt8>,
    size: PixelSize,
    stride: Int,
    components: Int,
    quality: Int,
    color: JPEGEncoder.Color
  ) throws(JPEGError) -> [UInt8] {
    var call = unsafe rawmill_jpeg_encoding()
    unsafe call.width = UInt32(size.width)
    unsafe call.height = UInt32(size.height)
    unsafe call.stride = stride
    unsafe call.components = Int32(components)
    unsafe call.quality = Int32(quality)
    unsafe call.codes_ycc = color == .asGiven ? 0 : 1
    unsafe call.halves_chroma = color == .yCbCr420 ? 1 : 0
    // The samples are read during the call only, within the rows that the caller checked.
    let status = unsafe samples.withUnsafeBufferPointer { source in
      unsafe call.samples = source.baseAddress
      return unsafe rawmill_jpeg_encode(&call)
    }
    guard status == RAWMILL_JPEG_OK, let bytes = unsafe call.bytes else {
      throw unsafe .encoding(text(call.message))
    }
    // `bytes` holds `byte_count` bytes and is the caller's to free.
    defer { unsafe free(bytes) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: call.byte_count))
  }

  /// A terminated text that C keeps in an array of characters.
  private static func text<Characters>(_ characters: Characters) -> String {
    // A tuple of CChar, which has no padding, terminated by snprintf or the library.
    unsafe withUnsafeBytes(of: characters) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
