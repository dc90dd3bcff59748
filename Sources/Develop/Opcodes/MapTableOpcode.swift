internal import RawModel

/// MapTable: 16-bit samples through a table, the last entry going on for higher ones.
///
/// Linear samples from 0 to 1 are indices and entries over 65535, rounded to the nearest. DNG 1.7.1 chapter
/// 7, "MapTable". Version 1.
struct MapTableOpcode: PointOpcode {
  static let name = "mapTable"

  let area: OpcodeArea
  private let table: [Float]

  init(_ map: MapTable) {
    area = map.area
    let entries = map.table.map { Float($0) }
    let last = entries.last ?? 0
    table = entries + Array(repeating: last, count: max(0, 65_536 - entries.count))
  }

  func change(_ value: Double, white: Double, x: Int, y: Int) -> Double {
    let index = Int(min(max(value / white * 65_535, 0), 65_535) + 0.5)
    return Double(table[index]) / 65_535 * white
  }

  func change(_ run: SampleRun, limit: Float) {
    run.replaceEach { value, _ in
      // A sample that is no number has the first entry.
      let index = value > 0 ? Int(min(value, 1) * 65_535 + 0.5) : 0
      return table[index] / 65_535
    }
  }
}
