internal import CLibOpenEXR
internal import ColorScience
internal import Raster

// The one file that calls OpenEXRCore.

/// The version of OpenEXR that is loaded.
func openEXRVersion() -> LibraryVersion {
  var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
  unsafe exr_get_library_version(&major, &minor, &patch, nil)
  return LibraryVersion(name: "OpenEXR", version: "\(major).\(minor).\(patch)")
}

/// An OpenEXR file that is being written to a sink.
@safe
struct OpenEXRHandle: ~Copyable {
  /// Scan lines of a chunk.
  static var chunkRowCount: Int { Int(RAWMILL_EXR_CHUNK_ROWS) }
  /// zlib's level.
  ///
  /// Sensor noise fills the low bits of the samples: more effort finds next to nothing.
  private static let level: Int32 = 2

  /// Nil once the file is ended.
  private var context: exr_context_t?
  private let output: OpenEXROutput

  private init(taking context: exr_context_t, output: OpenEXROutput) {
    unsafe self.context = context
    self.output = output
  }

  deinit {
    // After a failure the library may write once more, which the output then refuses.
    if let context = unsafe context { _ = unsafe rawmill_exr_close(context) }
  }

  /// Writes the header.
  static func create(
    _ description: LinearImageDescription,
    to sink: any ByteSink
  ) throws(ImageEncodingError) -> OpenEXRHandle {
    let output = OpenEXROutput(sink: sink, names: description.channels)
    unsafe output.header.pointee = header(description, names: output.names)
    guard let context = unsafe rawmill_exr_open(output.pointer, output.header) else {
      throw output.error("opening", unsafe output.pointer.pointee.result)
    }
    return unsafe OpenEXRHandle(taking: context, output: output)
  }

  private static func header(
    _ description: LinearImageDescription,
    names: [UnsafeMutablePointer<CChar>]
  ) -> rawmill_exr_header {
    var header = rawmill_exr_header()
    header.width = Int32(clamping: description.size.width)
    header.height = Int32(clamping: description.size.height)
    header.is_half = description.sampleFormat == .float16 ? 1 : 0
    header.channel_count = unsafe Int32(names.count)
    unsafe header.names.0 = names.count > 0 ? UnsafePointer(names[0]) : nil
    unsafe header.names.1 = names.count > 1 ? UnsafePointer(names[1]) : nil
    unsafe header.names.2 = names.count > 2 ? UnsafePointer(names[2]) : nil
    unsafe header.names.3 = names.count > 3 ? UnsafePointer(names[3]) : nil
    header.zip_level = level
    if let color = description.colorimetry {
      header.has_chromaticities = 1
      header.chromaticities = exr_attr_chromaticities_t(
        red_x: Float(color.red.x),
        red_y: Float(color.red.y),
        green_x: Float(color.green.x),
        green_y: Float(color.green.y),
        blue_x: Float(color.blue.x),
        blue_y: Float(color.blue.y),
        white_x: Float(color.white.x),
        white_y: Float(color.white.y)
      )
      header.has_adopted_neutral = 1
      header.adopted_neutral.x = Float(color.neutral.x)
      header.adopted_neutral.y = Float(color.neutral.y)
    }
    if let luminance = description.whiteLuminance {
      header.has_white_luminance = 1
      header.white_luminance = Float(luminance)
    }
    return header
  }

  /// What lanes compress chunks with while the handle lives.
  var compressor: Compressor? {
    guard let context = unsafe context else { return nil }
    return unsafe Compressor(context: context, output: output)
  }

  /// Writes the chunk that begins at a row; chunks come in order.
  borrowing func write(_ chunk: [UInt8], at row: Int) throws(ImageEncodingError) {
    let result = unsafe rawmill_exr_write(context, Int32(clamping: row), chunk, chunk.count)
    guard result == 0 else { throw output.error("row \(row)", result) }
  }

  /// Ends the file and returns its size in bytes.
  consuming func close() throws(ImageEncodingError) -> Int {
    // The context is freed here and not once more.
    let result = unsafe rawmill_exr_close(context)
    unsafe context = nil
    guard result == 0, output.failure == nil else { throw output.error("end", result) }
    return output.byteCount
  }

  /// Compresses chunks, on any thread.
  // @unchecked Sendable: the library's contract lets threads encode chunks of one context at a time,
  // each with a pipeline of its own, which the C function makes; the header is not changed any more.
  @safe
  struct Compressor: @unchecked Sendable {
    fileprivate let context: exr_context_t
    fileprivate let output: OpenEXROutput

    fileprivate init(context: exr_context_t, output: OpenEXROutput) {
      unsafe self.context = context
      self.output = output
    }

    /// The chunk of some rows, of which the first is `row`.
    func compress(_ pixels: ArraySlice<UInt8>, at row: Int) throws(ImageEncodingError) -> [UInt8] {
      // The library keeps what would grow as it is; a chunk is never larger than its pixels.
      let capacity = pixels.count
      var byteCount = 0
      var result: Int32 = 0
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        // At most `capacity` bytes are written, and `byteCount` says how many.
        unsafe result = pixels.withUnsafeBytes { source in
          unsafe rawmill_exr_compress(
            context,
            output.header,
            Int32(clamping: row),
            source.baseAddress,
            buffer.baseAddress,
            capacity,
            &byteCount
          )
        }
        count = result == 0 ? byteCount : 0
      }
      guard result == 0 else { throw output.error("row \(row)", result) }
      return chunk
    }
  }
}

/// What OpenEXR writes to: the sink, the C side's state and the first failure.
@safe
private final class OpenEXROutput {
  private let writer: SinkWriter
  var failure: ByteSinkError? { writer.failure }
  /// Owned; freed with the object, which the context outlives by no call.
  let pointer: UnsafeMutablePointer<rawmill_exr_output>
  let header: UnsafeMutablePointer<rawmill_exr_header>
  /// Terminated copies of the channels' names, which `header` points to.
  let names: [UnsafeMutablePointer<CChar>]

  init(sink: any ByteSink, names: [String]) {
    writer = SinkWriter(sink)
    unsafe self.names = names.map { name in
      let text = Array(name.utf8CString)
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
      unsafe copy.initialize(from: text, count: text.count)
      return unsafe copy
    }
    unsafe header = .allocate(capacity: 1)
    unsafe header.initialize(to: rawmill_exr_header())
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: rawmill_exr_output())
    unsafe pointer.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    unsafe pointer.pointee.write = { context, bytes, byteCount, offset in
      guard let context = unsafe context else { return 0 }
      // `context` is the output that owns this callback; `bytes` has `byteCount` bytes.
      let output = unsafe Unmanaged<OpenEXROutput>.fromOpaque(context).takeUnretainedValue()
      let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: byteCount)
      return output.writer.write(buffer, at: offset) ? 1 : 0
    }
  }

  deinit {
    unsafe pointer.deallocate()
    unsafe header.deallocate()
    for index in unsafe names.indices { unsafe names[index].deallocate() }
  }

  var byteCount: Int { unsafe Int(clamping: pointer.pointee.end) }

  /// The sink's failure where there is one, else the library's words.
  func error(_ operation: String, _ result: Int32) -> ImageEncodingError {
    if let failure { return .sink(failure) }
    // A static, terminated string.
    let detail = unsafe String(cString: rawmill_exr_words(result))
    return .libraryFailed(.openEXR, operation: operation, detail: detail)
  }
}
