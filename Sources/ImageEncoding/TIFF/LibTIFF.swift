internal import CLibTIFF

// The one file that calls libtiff. A handle belongs to one thread; error handlers are the handle's
// own, never the process-wide ones.

/// The version of libtiff that is loaded.
func libtiffVersion() -> LibraryVersion {
  // "LIBTIFF, Version 4.5.0\nCopyright …": a static, terminated string.
  let text = unsafe String(cString: TIFFGetVersion())
  let line = text.prefix { $0 != "\n" }
  let version = line.split(separator: " ").last.map(String.init) ?? String(line)
  return LibraryVersion(name: "libtiff", version: version)
}

/// A field of a TIFF directory, by libtiff's ways to pass values.
enum TIFFField {
  case integer(UInt32)
  case offset(UInt64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
  /// So many samples of a pixel that are neither colours nor alpha.
  case unspecifiedSamples(Int)
}

/// A TIFF file that is being written to a sink.
@safe
struct TIFFHandle: ~Copyable {
  private let tiff: OpaquePointer
  private let output: TIFFOutput

  private init(taking tiff: OpaquePointer, output: TIFFOutput) {
    unsafe self.tiff = tiff
    self.output = output
  }

  deinit {
    // After close() has flushed, this frees memory only; after a failure it may try to write once
    // more, which the output then refuses.
    unsafe TIFFClose(tiff)
  }

  /// Starts a little-endian file.
  ///
  /// `prologue` are bytes that lie at the start of the file, a TIFF header first; libtiff writes its
  /// own header over that one and appends everything else.
  static func create(
    _ sink: any ByteSink,
    prologue: [UInt8] = []
  ) throws(ImageEncodingError) -> TIFFHandle {
    let output = TIFFOutput(sink: sink)
    if !prologue.isEmpty { try output.append(prologue) }
    guard let tiff = unsafe rawmill_tiff_open(output.pointer) else {
      throw output.error("opening")
    }
    return unsafe TIFFHandle(taking: tiff, output: output)
  }

  borrowing func set(_ tag: Int32, _ field: TIFFField) throws(ImageEncodingError) {
    let tag = UInt32(bitPattern: tag)
    let status: Int32
    switch field {
    case .integer(let value): status = unsafe rawmill_tiff_set_integer(tiff, tag, value)
    case .offset(let value): status = unsafe rawmill_tiff_set_offset(tiff, tag, value)
    case .real(let value): status = unsafe rawmill_tiff_set_real(tiff, tag, value)
    case .text(let text): status = unsafe rawmill_tiff_set_text(tiff, tag, text)
    case .bytes(let bytes):
      // libtiff copies the bytes.
      status = unsafe rawmill_tiff_set_bytes(tiff, tag, bytes, UInt32(clamping: bytes.count))
    case .unspecifiedSamples(let count):
      let kinds = [UInt16](repeating: UInt16(EXTRASAMPLE_UNSPECIFIED), count: count)
      // libtiff copies the values.
      status = unsafe rawmill_tiff_set_shorts(tiff, tag, kinds, UInt16(clamping: count))
    }
    guard status == 1 else { throw output.error("tag \(tag)") }
  }

  /// Compresses and appends one strip.
  ///
  /// The bytes may be changed on the way.
  borrowing func writeStrip(
    _ index: Int,
    _ bytes: inout [UInt8]
  ) throws(ImageEncodingError) {
    let count = tmsize_t(bytes.count)
    let written = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe TIFFWriteEncodedStrip(tiff, UInt32(clamping: index), buffer.baseAddress, count)
    }
    guard written == count else { throw output.error("strip \(index)") }
  }

  /// Compresses and appends one tile.
  ///
  /// The bytes may be changed on the way.
  borrowing func writeTile(
    _ index: Int,
    _ bytes: inout [UInt8]
  ) throws(ImageEncodingError) {
    let count = tmsize_t(bytes.count)
    let written = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe TIFFWriteEncodedTile(tiff, UInt32(clamping: index), buffer.baseAddress, count)
    }
    guard written == count else { throw output.error("tile \(index)") }
  }

  /// Writes the directory and returns the size of the file in bytes.
  consuming func close() throws(ImageEncodingError) -> Int {
    guard unsafe TIFFWriteDirectory(tiff) == 1, unsafe TIFFFlush(tiff) == 1 else {
      throw output.error("directory")
    }
    // libtiff does not pass every failed write on.
    if let failure = output.failure { throw .sink(failure) }
    return output.byteCount
  }
}

/// What libtiff writes to: the sink, the C side's state and the first failure.
@safe
private final class TIFFOutput {
  private let writer: SinkWriter
  var failure: ByteSinkError? { writer.failure }
  /// Owned; freed with the object, which the handle outlives by no call of libtiff.
  let pointer: UnsafeMutablePointer<rawmill_tiff_output>

  init(sink: any ByteSink) {
    writer = SinkWriter(sink)
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: rawmill_tiff_output())
    unsafe pointer.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    unsafe pointer.pointee.write = { context, bytes, byteCount, offset in
      guard let context = unsafe context else { return 0 }
      // `context` is the output that owns this callback; `bytes` has `byteCount` bytes.
      let output = unsafe Unmanaged<TIFFOutput>.fromOpaque(context).takeUnretainedValue()
      let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: byteCount)
      return output.writer.write(buffer, at: offset) ? 1 : 0
    }
  }

  deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  var byteCount: Int { unsafe Int(clamping: pointer.pointee.end) }

  /// Puts bytes at the start, before libtiff opens the file.
  func append(_ bytes: [UInt8]) throws(ImageEncodingError) {
    do throws(ByteSinkError) {
      try unsafe writer.sink.write(bytes.span.bytes, at: byteCount)
    } catch {
      throw .sink(error)
    }
    unsafe pointer.pointee.end += UInt64(bytes.count)
  }

  /// The sink's failure where there is one, else libtiff's words.
  func error(_ operation: String) -> ImageEncodingError {
    if let failure { return .sink(failure) }
    // Terminated by the shim, within the array.
    let detail = unsafe withUnsafeBytes(of: pointer.pointee.message) { text in
      unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
    return .libraryFailed(
      .libtiff,
      operation: operation,
      detail: detail.isEmpty ? "no message" : detail
    )
  }
}
