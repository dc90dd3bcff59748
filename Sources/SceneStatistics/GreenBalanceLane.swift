/// One lane's sums of blocks, and some rows of a green summed down their columns.
///
/// Columns are summed first, which the processor does for many at once.
struct GreenBalanceLane: ~Copyable {
  private var sums: LaneSums<Int>.Lane
  /// Of each sample of a row, of the green and of what lies between: the sum of the rows and the highest.
  private var totals: [Int32]
  private var peaks: [Int32]

  /// Rows have `width` samples, from the green's first on.
  init(_ sums: consuming LaneSums<Int>.Lane, width: Int) {
    self.sums = sums
    totals = Array(repeating: 0, count: width)
    peaks = Array(repeating: 0, count: width)
  }

  /// Begins other rows.
  mutating func clear() {
    for index in totals.indices {
      totals[index] = 0
      peaks[index] = 0
    }
  }

  /// Adds a row whose `columns` samples of the green stand at every other place from `start` on; codes go
  /// through the table where there is one.
  @unsafe
  mutating func add(_ start: UnsafePointer<UInt16>, columns: Int, _ table: [UInt16]?) {
    // The last place is the last green's: what lies behind it may be outside the frame.
    let width = 2 * columns - 1
    precondition(width < totals.count)
    unsafe totals.withUnsafeMutableBufferPointer { totals in
      unsafe peaks.withUnsafeMutableBufferPointer { peaks in
        if let table, let last = table.indices.last {
          for x in Swift.stride(from: 0, to: width, by: 2) {
            let level = unsafe Int32(table[min(Int(start[x]), last)])
            unsafe totals[x] &+= level
            unsafe peaks[x] = max(peaks[x], level)
          }
        } else {
          for x in 0..<width {
            let level = unsafe Int32(start[x])
            unsafe totals[x] &+= level
            unsafe peaks[x] = max(peaks[x], level)
          }
        }
      }
    }
  }

  /// Counts a block: `columns` of the green from `firstColumn`; its three sums begin at `place`, and
  /// `green` is 0 or 1.
  mutating func count(firstColumn: Int, columns: Int, clip: Int32, place: Int, green: Int) {
    var total = 0
    var highest: Int32 = 0
    for column in firstColumn..<firstColumn + columns {
      total += Int(totals[2 * column])
      highest = max(highest, peaks[2 * column])
    }
    sums.sums[place + green] += total
    sums.sums[place + 2] += highest >= clip ? 1 : 0
  }
}
