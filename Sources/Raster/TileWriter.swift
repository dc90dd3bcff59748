/// A plane as seen by tile bodies that run at the same time.
///
/// The view is shared between lanes without a lock. That is sound as long as two bodies never touch
/// the same sample: hand each body the region of its own tile only, which the tiles of a `TileGrid`
/// make disjoint by construction.
@safe
package struct TileWriter<Sample: BitwiseCopyable> {
  package let width: Int
  package let height: Int
  package let stride: Int
  private let base: UnsafeMutablePointer<Sample>

  @unsafe
  init(base: UnsafeMutablePointer<Sample>, width: Int, height: Int, stride: Int) {
    unsafe self.base = base
    self.width = width
    self.height = height
    self.stride = stride
  }

  /// The samples `columns` of row `y`, to write.
  package func withRow<Result, Failure: Error>(
    _ y: Int,
    columns: Range<Int>,
    _ body: (inout MutableSpan<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(y >= 0 && y < height, "row outside the plane")
    precondition(
      columns.lowerBound >= 0 && columns.upperBound <= width,
      "columns outside the plane"
    )
    // Within the plane by the checks above; exclusive because the caller owns this tile.
    var span = unsafe MutableSpan(
      _unsafeStart: base + (y * stride + columns.lowerBound),
      count: columns.count
    )
    return try body(&span)
  }

  /// The pointer to sample (x, y), for kernels that write along columns (turned pictures).
  @unsafe
  package func pointer(x: Int, y: Int) -> UnsafeMutablePointer<Sample> {
    precondition(x >= 0 && x <= width && y >= 0 && y < height, "sample outside the plane")
    return unsafe base + (y * stride + x)
  }
}

// Sendable: see the rule in the type's comment; every access is bounded to the plane.
extension TileWriter: @unchecked Sendable where Sample: Sendable {}
