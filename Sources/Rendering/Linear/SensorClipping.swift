internal import Raster
internal import RawModel

/// How many photosites of a part of a raw are saturated.
struct SensorClipping: Equatable, Sendable {
  /// By plane: R, G1, G2 and B of a mosaic, R, G and B or Y of other raws.
  let counts: [(name: String, count: Int)]

  static func == (left: SensorClipping, right: SensorClipping) -> Bool {
    left.counts.elementsEqual(right.counts) { $0.name == $1.name && $0.count == $1.count }
  }

  /// Counts linearised samples at or above WhiteLevel.
  ///
  /// - Parameters:
  ///   - frame: The decoded raw.
  ///   - area: In pixels of the active area.
  init(of frame: borrowing RawFrame, area: Region) {
    let description = frame.description
    let lattice = Lattice(description.layout)
    let table = description.linearizationTable
    let whites = description.whiteLevel
    func white(_ sample: Int) -> Double { whites[min(sample, whites.count - 1)] }
    var totals = [Int](repeating: 0, count: lattice.names.count)
    switch frame.samples {
    case .uint16(let plane):
      let isClipped = (0..<description.layout.samplesPerPixel).map { sample in
        (0...65_535).map { code in Double(Self.linear(code, table)) >= white(sample) }
      }
      lattice.count(plane, description, area, into: &totals) { isClipped[$1][Int($0)] }
    case .uint32(let plane):
      lattice.count(plane, description, area, into: &totals) { Double($0) >= white($1) }
    case .float32(let plane):
      lattice.count(plane, description, area, into: &totals) { Double($0) >= white($1) }
    }
    counts = zip(lattice.names, totals).map { (name: $0, count: $1) }
  }

  /// A code after the table, past whose end the last entry counts.
  private static func linear(_ code: Int, _ table: [UInt16]?) -> Int {
    guard let table, let last = table.last else { return code }
    return Int(code < table.count ? table[code] : last)
  }
}

/// Which plane each sample belongs to.
private struct Lattice {
  let names: [String]
  private let samples: Int
  /// The plane of each photosite of a 2x2 cell; empty for raws that are no mosaic.
  private let cell: [Int]

  init(_ layout: SampleLayout) {
    samples = layout.samplesPerPixel
    switch layout {
    case .mosaic(let pattern):
      names = ["R", "G1", "G2", "B"]
      let colors = pattern.colors
      cell = colors.indices.map { place in
        switch colors[place] {
        case 0: 0
        case 2: 3
        default: colors[place ^ 1] == 0 ? 1 : 2
        }
      }
    case .array: preconditionFailure("other filter arrays are refused before")
    case .linear(let planes):
      names = planes == 1 ? ["Y"] : ["R", "G", "B"]
      cell = []
    }
  }

  @inline(__always)
  func count<Sample>(
    _ plane: borrowing Plane<Sample>,
    _ description: RawDescription,
    _ area: Region,
    into totals: inout [Int],
    _ isClipped: (Sample, Int) -> Bool
  ) {
    let active = description.activeArea
    for y in area.rows {
      plane.withRow(active.top + y) { row in
        for x in area.columns {
          let first = (active.left + x) * samples
          for sample in 0..<samples where isClipped(row[first + sample], sample) {
            let place = cell.isEmpty ? min(sample, names.count - 1) : cell[2 * (y & 1) + (x & 1)]
            totals[place] += 1
          }
        }
      }
    }
  }
}
