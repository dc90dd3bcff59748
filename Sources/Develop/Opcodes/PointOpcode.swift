internal import RawModel

/// An opcode that changes single samples, each by its place and value alone.
///
/// DNG 1.7.1 chapter 7: MapTable, MapPolynomial, DeltaPerRow, DeltaPerColumn, ScalePerRow, ScalePerColumn. Results
/// are clipped to the logical range of their list.
protocol PointOpcode: Sendable {
  /// The name in plans and reports.
  static var name: String { get }
  /// Raised when a change of the opcode changes pixels.
  static var version: Int { get }
  var area: OpcodeArea { get }
  /// What becomes of a stored sample; `white` is the top of its range (65535, 2^32 - 1, or 1 for
  /// floating point). Not clipped.
  func change(_ value: Double, white: Double, x: Int, y: Int) -> Double
  /// What becomes of linear samples, 1 being white: those of `run`, in place, clipped at 0 and `limit`.
  func change(_ run: SampleRun, limit: Float)
}

extension PointOpcode {
  static var version: Int { 1 }
}

/// Samples of one row that follow one another at a fixed distance.
struct SampleRun {
  let row: SampleRow
  let indices: Range<Int>
  /// Column of the first of them, in whole pixels of the active area.
  let x: Int
  /// Columns from one to the next.
  let step: Int
  let y: Int

  /// Replaces the samples; `body` gets eight and the index of the first among the run's.
  @inline(__always)
  func replace(_ body: (Lanes, Int) -> Lanes) {
    var i = indices.lowerBound
    while i + 8 <= indices.upperBound {
      row[lanes: i] = body(row[lanes: i], i - indices.lowerBound)
      i += 8
    }
    guard i < indices.upperBound else { return }
    // What lies past the run is read, which the row's margin allows, and left as it is.
    let rest = body(row[lanes: i], i - indices.lowerBound)
    for lane in 0..<(indices.upperBound - i) { row[i + lane] = rest[lane] }
  }

  /// Replaces the samples one by one; `body` gets a sample and its column.
  @inline(__always)
  func replaceEach(_ body: (Float, Int) -> Float) {
    var column = x
    for i in indices {
      row[i] = body(row[i], column)
      column += step
    }
  }
}
