internal import Raster

/// The working memory of one lane: rows of floats cut from one block, zeroed once.
///
/// Rows lie an odd number of cache lines apart, so that the same column of many rows does not fall into
/// the same cache set.
// @safe: `base` points into the plane's heap block, which neither moves nor goes while self lives;
// allocations are views that die before it, because they live in the lane state beside it.
@safe
struct ScratchMemory: ~Copyable {
  private var plane: Plane<Float>
  private let base: UnsafeMutablePointer<Float>
  private let capacity: Int
  private let rowStride: Int
  private let rowLimit: Int
  private var rowsTaken = 0

  /// Memory for `rowCount` rows of at least `samples` samples each.
  init(rowCount: Int, samples: Int) throws(RasterError) {
    let capacity = (samples + 7) / 8 * 8
    let lines = (capacity + 2 * SampleRow.margin + 15) / 16
    let rowStride = (lines | 1) * 16
    var plane = try Plane<Float>(width: rowStride, height: rowCount)
    // Rows of the plane are padded to whole cache lines, and rowStride is whole cache lines already.
    precondition(plane.stride == rowStride)
    unsafe base = plane.withUnsafeMutableSamples { unsafe $0 }
    self.plane = plane
    self.capacity = capacity
    self.rowStride = rowStride
    rowLimit = rowCount
  }

  /// Takes `count` rows.
  ///
  /// - Precondition: the memory has them left.
  mutating func take(_ count: Int) -> SampleRow.Allocation {
    precondition(rowsTaken + count <= rowLimit, "scratch has no rows left")
    let start = unsafe base + (rowsTaken * rowStride + SampleRow.margin)
    rowsTaken += count
    return unsafe SampleRow.Allocation(
      base: start,
      rowStride: rowStride,
      rowCount: count,
      capacity: capacity
    )
  }
}

extension SampleRow {
  /// Rows that were taken together.
  // @safe: see `ScratchMemory`; debug builds check each row number.
  @safe
  struct Allocation {
    private let base: UnsafeMutablePointer<Float>
    private let rowStride: Int
    private let rowCount: Int
    private let capacity: Int

    @unsafe
    init(base: UnsafeMutablePointer<Float>, rowStride: Int, rowCount: Int, capacity: Int) {
      unsafe self.base = base
      self.rowStride = rowStride
      self.rowCount = rowCount
      self.capacity = capacity
    }

    /// `count` rows from `start` on.
    func slice(_ start: Int, _ count: Int) -> Allocation {
      precondition(start >= 0 && count >= 0 && start + count <= rowCount, "no such rows")
      return unsafe Allocation(
        base: base + start * rowStride,
        rowStride: rowStride,
        rowCount: count,
        capacity: capacity
      )
    }

    @inline(__always)
    func row(_ index: Int) -> SampleRow {
      assert(index >= 0 && index < rowCount)
      return unsafe SampleRow(base: base + index * rowStride, capacity: capacity)
    }
  }
}
