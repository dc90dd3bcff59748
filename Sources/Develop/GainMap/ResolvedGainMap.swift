internal import Raster
internal import RawModel

/// A GainMap, checked, with its grid laid out over the columns of one active area.
struct ResolvedGainMap: Sendable {
  let map: GainMap
  /// Runs of columns between the same two grid columns.
  let runs: [Run]
  /// How far each column lies towards the next grid column, 0 to 1: of even and of odd columns.
  let evenFractions: [Float]
  let oddFractions: [Float]
  private let size: PixelSize

  /// Columns that lie between grid column `cell` and the next.
  struct Run: Equatable, Sendable {
    var cell: Int
    var columns: Range<Int>
  }

  /// Checks a map against an active area and lays it out.
  ///
  /// - Throws: `opcodeUnusable` with the reason.
  init(_ map: GainMap, list: Int, size: PixelSize) throws(DevelopError) {
    func unusable(_ reason: String) -> DevelopError {
      .opcodeUnusable(list: list, name: "GainMap", reason: reason)
    }
    guard map.pointsV > 0, map.pointsH > 0, map.mapPlanes > 0 else {
      throw unusable("has no points")
    }
    let (points, overflowed) = map.pointsV.multipliedReportingOverflow(by: map.pointsH)
    let (count, overflowedCount) = points.multipliedReportingOverflow(by: map.mapPlanes)
    guard !overflowed, !overflowedCount, count == map.gains.count else {
      throw unusable("has another number of gains than points")
    }
    guard map.area.rowPitch > 0, map.area.columnPitch > 0, map.area.plane >= 0, map.area.planes > 0
    else {
      throw unusable("has an area without pixels")
    }
    let numbers = [map.spacingV, map.spacingH, map.originV, map.originH]
    guard numbers.allSatisfy(\.isFinite), map.spacingV > 0 || map.pointsV == 1,
      map.spacingH > 0 || map.pointsH == 1
    else { throw unusable("has a spacing that is not positive") }
    guard map.gains.allSatisfy(\.isFinite) else { throw unusable("has a gain that is not finite") }
    self.map = map
    self.size = size
    var runs: [Run] = []
    var fractions: (even: [Float], odd: [Float]) = ([], [])
    for x in 0..<size.width {
      let (cell, fraction) = Self.position(
        (Double(x) + 0.5) / Double(size.width),
        origin: map.originH,
        spacing: map.spacingH,
        points: map.pointsH
      )
      if x & 1 == 0 { fractions.even.append(fraction) } else { fractions.odd.append(fraction) }
      if let last = runs.last, last.cell == cell {
        runs[runs.count - 1].columns = last.columns.lowerBound..<(x + 1)
      } else {
        runs.append(Run(cell: cell, columns: x..<(x + 1)))
      }
    }
    self.runs = runs
    evenFractions = fractions.even
    oddFractions = fractions.odd
  }

  /// The grid cell and the place within it of a relative position.
  private static func position(
    _ relative: Double,
    origin: Double,
    spacing: Double,
    points: Int
  ) -> (cell: Int, fraction: Float) {
    guard points > 1 else { return (0, 0) }
    let place = min(max((relative - origin) / spacing, 0), Double(points - 1))
    let cell = min(Int(place), points - 2)
    return (cell, Float(place - Double(cell)))
  }

  /// The columns of a row that the map applies to: from `first`, every `columnPitch`th; nil for a row
  /// or a sample that it leaves alone.
  func columns(row: Int, sample: Int) -> (first: Int, end: Int)? {
    guard map.area.contains(plane: sample) else { return nil }
    let area = map.area.region(in: size)
    guard area.rows.contains(row), (row - area.top) % map.area.rowPitch == 0 else { return nil }
    return (area.left, area.right)
  }

  /// The gains of the grid columns for one row: between the grid rows above and below it.
  func gains(row: Int, sample: Int) -> RowGains { gains(y: Double(row), sample: sample) }

  /// The same for a row of a scaled picture, whose place is fractional.
  func gains(y: Double, sample: Int) -> RowGains {
    let (cell, fraction) = Self.position(
      (y + 0.5) / Double(size.height),
      origin: map.originV,
      spacing: map.spacingV,
      points: map.pointsV
    )
    let rowLength = map.pointsH * map.mapPlanes
    let plane = min(sample - map.area.plane, map.mapPlanes - 1)
    return RowGains(
      map: map,
      above: cell * rowLength + plane,
      below: min(cell + 1, map.pointsV - 1) * rowLength + plane,
      fraction: fraction
    )
  }

  /// The gain at a column.
  func gain(x: Double, _ gains: RowGains) -> Float {
    let (cell, fraction) = Self.position(
      (x + 0.5) / Double(size.width),
      origin: map.originH,
      spacing: map.spacingH,
      points: map.pointsH
    )
    let left = gains[cell]
    return left + (gains[min(cell + 1, map.pointsH - 1)] - left) * fraction
  }

  /// Gains of the grid columns between two grid rows.
  struct RowGains {
    let map: GainMap
    /// Places of the first column's gains in the two grid rows.
    let above: Int
    let below: Int
    /// How far the row lies towards the one below, 0 to 1.
    let fraction: Float

    subscript(column: Int) -> Float {
      let above = map.gains[above + column * map.mapPlanes]
      let below = map.gains[below + column * map.mapPlanes]
      return above + (below - above) * fraction
    }
  }
}
