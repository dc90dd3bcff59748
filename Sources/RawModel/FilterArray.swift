/// A colour filter array that is no Bayer pattern in rows and columns: X-Trans, four colours, staggered ones.
///
/// Its samples are stored anew like any others; nothing else is made of them.
package struct FilterArray: Equatable, Sendable {
  /// CFARepeatPatternDim (33421).
  package let rows: Int
  package let columns: Int
  /// CFAPattern (33422): a colour code for each photosite of the pattern, in row order: 0 red, 1 green,
  /// 2 blue, 3 cyan, 4 magenta, 5 yellow, 6 white (TIFF/EP).
  package let colors: [Int]
  /// CFAPlaneColor (50710): the colour code of each plane.
  package let planeColors: [Int]
  /// CFALayout (50711): 1 is rectangular.
  package let arrangement: Int

  /// - Precondition: as many colours as the pattern has photosites, each one that a plane has.
  package init(rows: Int, columns: Int, colors: [Int], planeColors: [Int], arrangement: Int) {
    precondition(rows > 0 && columns > 0 && colors.count == rows * columns)
    precondition(colors.allSatisfy(planeColors.contains))
    self.rows = rows
    self.columns = columns
    self.colors = colors
    self.planeColors = planeColors
    self.arrangement = arrangement
  }

  /// The Bayer pattern, where it is one with the planes red, green, blue.
  package var pattern: CFAPattern? {
    guard hasCells, arrangement == 1, planeColors == [0, 1, 2] else { return nil }
    return CFAPattern(colors: colors)
  }

  /// Whether colours repeat after two rows and two columns.
  package var hasCells: Bool { rows == 2 && columns == 2 }

  /// The plane of a photosite, from the active area's corner.
  package func plane(row: Int, column: Int) -> Int {
    func place(_ position: Int, _ length: Int) -> Int {
      let rest = position % length
      return rest < 0 ? rest + length : rest
    }
    let color = colors[place(row, rows) * columns + place(column, columns)]
    return planeColors.firstIndex(of: color) ?? 0
  }

  /// The colours' letters in row order; the size where it is not 2x2, the planes where red, green and blue
  /// come in another order.
  package var text: String {
    let colors = Self.letters(colors)
    let isTurned = planeColors != [0, 1, 2] && Set(planeColors) == [0, 1, 2]
    let text = isTurned ? "\(colors) with the planes \(Self.letters(planeColors))" : colors
    return hasCells ? text : "\(rows)x\(columns) \(text)"
  }

  private static func letters(_ colors: [Int]) -> String {
    let letters = Array("rgbcmyw")
    return String(colors.map { letters.indices.contains($0) ? letters[$0] : "?" })
  }
}
