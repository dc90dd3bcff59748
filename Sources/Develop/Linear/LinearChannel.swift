internal import Raster
internal import RawModel

/// What one sample of a linear picture's pixels is.
package struct LinearChannel: Equatable, Sendable {
  /// Short, unique among the channels: `R`, `G1`, `X`.
  package let name: String
  /// The photosite's place in the 2x2 cells of the area, for planes.
  package let cell: Cell?

  package struct Cell: Equatable, Sendable {
    package let x: Int
    package let y: Int
  }

  init(_ name: String, cell: Cell? = nil) {
    self.name = name
    self.cell = cell
  }

  /// The channels of a level, in their order.
  static func channels(
    _ level: LinearLevel,
    _ layout: SampleLayout,
    area: Region
  ) throws(DevelopError) -> [LinearChannel] {
    if case .scene(.xyzD50) = level { return ["X", "Y", "Z"].map { LinearChannel($0) } }
    let colors = ["R", "G", "B"].map { LinearChannel($0) }
    if case .scene = level { return colors }
    switch (layout, level.layout) {
    case (.mosaic, .demosaiced): return colors
    case (.mosaic, .cfa): return [LinearChannel("Y")]
    case (.mosaic(let pattern), .planes): return planes(of: pattern, area: area)
    case (.linear(planes: 1), _): return [LinearChannel("Y")]
    case (.linear(planes: 3), _): return colors
    case (.array(let array), _): throw .filterArrayUnsupported(array.text)
    case (.linear(let planes), _): throw .layoutUnsupported(planes: planes)
    }
  }

  /// Red, both greens and blue in the order of the cell; G1 is the green in the rows of red.
  private static func planes(of pattern: CFAPattern, area: Region) -> [LinearChannel] {
    let colors = pattern.colors
    return (0..<4).map { index in
      let cell = Cell(x: index & 1, y: index >> 1)
      let place = 2 * ((cell.y + area.top) & 1) + ((cell.x + area.left) & 1)
      let name =
        switch colors[place] {
        case 0: "R"
        case 2: "B"
        default: colors[place ^ 1] == 0 ? "G1" : "G2"
        }
      return LinearChannel(name, cell: cell)
    }
  }
}
