internal import Raster

extension RawFrame {
  /// Whether any sample of the active area reaches its WhiteLevel after the linearisation table.
  package borrowing func reachesWhite() -> Bool {
    let planes = description.layout.samplesPerPixel
    let area = description.activeArea
    let table = description.linearizationTable
    for y in area.rows {
      let row = samples.values(ofRow: y)
      for index in area.left * planes..<area.right * planes {
        var value = row[index]
        if let table, let last = table.last {
          value = Double(table.indices.contains(Int(value)) ? table[Int(value)] : last)
        }
        if value >= description.whiteLevel[index % planes] { return true }
      }
    }
    return false
  }
}
