/// Rows of samples in one owned, 64-byte aligned block of memory.
///
/// A row has `width` samples; interleaved pictures have `channels` samples a pixel, so that `width`
/// is pixels times channels. Rows are `stride` samples apart. The plane frees its memory when it is
/// consumed or goes out of scope, which is how the raw samples are gone before an encoder starts.
/// At least 64 bytes behind the last row may be read (not written), so that kernels load whole vectors.
@safe
package struct Plane<Sample: BitwiseCopyable>: ~Copyable {
  /// Samples in a row.
  package let width: Int
  /// Rows.
  package let height: Int
  /// Samples from the start of a row to the start of the next.
  package let stride: Int
  private let base: UnsafeMutablePointer<Sample>

  /// The largest plane that is ever allocated: 8 GiB.
  package static var byteLimit: Int { 8 << 30 }

  /// Allocates a plane with all bits zero.
  ///
  /// - Throws: `RasterError.allocationRefused` over `byteLimit`, for negative sizes, or out of memory.
  package init(width: Int, height: Int) throws(RasterError) {
    let limit = Self.byteLimit
    let lineSamples = 64 / max(1, MemoryLayout<Sample>.stride)
    let (padded, overflowedRow) = width.addingReportingOverflow(lineSamples - 1)
    let stride = padded / lineSamples * lineSamples
    let (samples, overflowed) = stride.multipliedReportingOverflow(by: height)
    let (bytes, overflowedBytes) = samples.multipliedReportingOverflow(
      by: MemoryLayout<Sample>.stride
    )
    guard
      width >= 0, height >= 0, !overflowedRow, !overflowed, !overflowedBytes, bytes <= limit
    else {
      throw .allocationRefused(bytes: overflowed || overflowedBytes ? .max : bytes, limit: limit)
    }
    let padding = (bytes + 63) / 64 * 64 + 64
    guard let raw = unsafe allocateZeroed(byteCount: padding) else {
      throw .allocationRefused(bytes: bytes, limit: limit)
    }
    self.width = width
    self.height = height
    self.stride = stride
    unsafe self.base = raw.bindMemory(to: Sample.self, capacity: max(1, samples))
  }

  deinit {
    unsafe freeZeroed(UnsafeMutableRawPointer(base))
  }

  /// One row, to read.
  package borrowing func withRow<Result, Failure: Error>(
    _ y: Int,
    _ body: (Span<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(y >= 0 && y < height, "row outside the plane")
    // The block holds stride * height initialised samples and lives as long as self.
    return try unsafe body(Span(_unsafeStart: UnsafePointer(base + y * stride), count: width))
  }

  /// One row, to write.
  package mutating func withMutableRow<Result, Failure: Error>(
    _ y: Int,
    _ body: (inout MutableSpan<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(y >= 0 && y < height, "row outside the plane")
    // As above; self is borrowed exclusively.
    var span = unsafe MutableSpan(_unsafeStart: base + y * stride, count: width)
    return try body(&span)
  }

  /// The whole plane for kernels: the pointer to row 0; rows are `stride` apart.
  package borrowing func withUnsafeSamples<Result, Failure: Error>(
    _ body: (UnsafePointer<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafePointer(base))
  }

  /// The whole plane for kernels that write.
  package mutating func withUnsafeMutableSamples<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(base)
  }

  /// Lends the plane to tile bodies that run at the same time, each writing a region of its own.
  package mutating func withTileWriter<Result, Failure: Error>(
    _ body: (TileWriter<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(TileWriter(base: base, width: width, height: height, stride: stride))
  }
}

// Sendable: the plane owns its memory alone (~Copyable), so it moves between threads as a whole.
extension Plane: @unchecked Sendable where Sample: Sendable {}
