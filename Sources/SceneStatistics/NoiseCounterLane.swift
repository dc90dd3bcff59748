/// One lane's counts, and three rows summed down their columns.
struct NoiseCounterLane: ~Copyable {
  private var counts: LaneSums<UInt32>.Lane
  private var sums: LaneSums<Int>.Lane
  /// Of each column: the sum of its three levels, their second difference, and the highest.
  private var totals: [Int32]
  private var bends: [Int32]
  private var peaks: [Int32]

  init(
    _ counts: consuming LaneSums<UInt32>.Lane,
    _ sums: consuming LaneSums<Int>.Lane,
    width: Int
  ) {
    self.counts = counts
    self.sums = sums
    totals = Array(repeating: 0, count: width)
    bends = Array(repeating: 0, count: width)
    peaks = Array(repeating: 0, count: width)
  }

  /// Takes three rows; codes go through the table where there is one.
  ///
  /// Each row has as many samples as the lane is wide.
  @unsafe
  mutating func addColumns(
    _ upper: UnsafePointer<UInt16>,
    _ middle: UnsafePointer<UInt16>,
    _ lower: UnsafePointer<UInt16>,
    _ table: [UInt16]?
  ) {
    let width = totals.count
    unsafe totals.withUnsafeMutableBufferPointer { totals in
      unsafe bends.withUnsafeMutableBufferPointer { bends in
        unsafe peaks.withUnsafeMutableBufferPointer { peaks in
          if let table, let last = table.indices.last {
            for x in 0..<width {
              let a = unsafe Int32(table[min(Int(upper[x]), last)])
              let b = unsafe Int32(table[min(Int(middle[x]), last)])
              let c = unsafe Int32(table[min(Int(lower[x]), last)])
              unsafe totals[x] = a &+ b &+ c
              unsafe bends[x] = a &- 2 &* b &+ c
              unsafe peaks[x] = max(a, b, c)
            }
          } else {
            for x in 0..<width {
              let a = unsafe Int32(upper[x])
              let b = unsafe Int32(middle[x])
              let c = unsafe Int32(lower[x])
              unsafe totals[x] = a &+ b &+ c
              unsafe bends[x] = a &- 2 &* b &+ c
              unsafe peaks[x] = max(a, b, c)
            }
          }
        }
      }
    }
  }

  /// Counts the neighbourhoods of one plane: three columns each, `step` samples apart, the first at
  /// `first`; its bins stand at `place` among those of all planes.
  mutating func count(
    first: Int,
    step: Int,
    columns: Int,
    clip: Int32,
    binOfLevel: [UInt8],
    place: Int
  ) {
    guard columns > 0 else { return }
    precondition(first + (3 * columns - 1) * step < totals.count, "columns lie within the row")
    let residueCount = Int32(NoiseCounter.residueCount)
    // Columns lie within the rows by the precondition; a mean of three levels of 16 bits has a bin, and
    // bins and residues lie within the plane's counts.
    unsafe totals.withUnsafeBufferPointer { totals in
      unsafe bends.withUnsafeBufferPointer { bends in
        unsafe peaks.withUnsafeBufferPointer { peaks in
          unsafe binOfLevel.withUnsafeBufferPointer { binOfLevel in
            unsafe counts.sums.withUnsafeMutableBufferPointer { counts in
              unsafe sums.sums.withUnsafeMutableBufferPointer { sums in
                var x = first
                for _ in 0..<columns {
                  let y = x &+ step
                  let z = y &+ step
                  let peak = unsafe max(peaks[x], peaks[y], peaks[z])
                  if peak < clip {
                    let total = unsafe totals[x] &+ totals[y] &+ totals[z]
                    let bend = unsafe bends[x] &- 2 &* bends[y] &+ bends[z]
                    let bin = unsafe place &+ Int(binOfLevel[Int(total / 9)])
                    let residue = min(abs(bend), residueCount &- 1)
                    unsafe counts[bin &* Int(residueCount) &+ Int(residue)] &+= 1
                    unsafe sums[bin] &+= Int(total)
                  }
                  x = z &+ step
                }
              }
            }
          }
        }
      }
    }
  }
}
