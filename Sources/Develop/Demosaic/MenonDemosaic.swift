/// Bayer mosaic to three colours: directional filtering with a posteriori decision and refining.
///
/// D. Menon, S. Andriani & G. Calvagno, "Demosaicing With Directional Filtering and a posteriori
/// Decision", IEEE Trans. Image Process. 16 (2007) 132. Version 3: of samples whose noise is known in roots of
/// light and with softened decisions, see `RootLight` and `Noise`.
///
/// Everything is a colour difference. At each red or blue photosite (a *colour site*; the other half are
/// *green sites*) `k = colour - green` is estimated along the row and along the column; the direction
/// with the smaller change of `k` nearby wins; the differences are spread to the green sites; then `k`
/// and the spread values are refined by means of three along the chosen direction.
///
/// Rows come in from top to bottom and leave eight rows later. Each row is split into its even and odd
/// columns, so that colour sites and green sites are dense and no mask is needed; `phase` is the parity
/// of the row's colour sites. Half-row index `i` of a colour site is column `2 i + phase`, of a green
/// site column `2 i + 1 - phase`. Every quantity keeps as many rows as later steps look back.
struct MenonDemosaic {
  /// Rows and columns that a result depends on, on each side.
  static let halo = 8
  /// Rows of scratch that it takes.
  static let scratchRowCount = 102

  /// Samples at colour sites and at green sites.
  let colors: RowRing
  let greens: RowRing
  /// `k` along the row, its change to the next colour site, and the sum of two such changes.
  private let horizontal: RowRing
  private let horizontalChange: RowRing
  private let horizontalPair: RowRing
  /// `k` along the column, its change to the colour site two rows below, and a weighted sum of three.
  private let vertical: RowRing
  private let verticalChange: RowRing
  private let verticalSum: RowRing
  /// Not negative where the row is the better direction; with noise, the row's weight.
  private let preference: RowRing
  /// `k` in the better direction, and refined.
  private let difference: RowRing
  private let refined: RowRing
  /// At green sites: own colour (that of the row's colour sites) less green, the other less green;
  /// from `difference` and from `refined`.
  private let own: RowRing
  private let other: RowRing
  private let refinedOwn: RowRing
  private let refinedOther: RowRing
  /// At colour sites: the other colour less the own.
  private let cross: RowRing

  private let noise: Noise?

  /// `noise`: of the mosaic; nil takes the samples as they are and the better direction alone, as the paper does.
  init(_ scratch: inout ScratchMemory, noise: Noise? = nil) {
    self.noise = noise
    colors = RowRing(scratch.take(16), rowCount: 16)
    greens = RowRing(scratch.take(16), rowCount: 16)
    horizontal = RowRing(scratch.take(8), rowCount: 8)
    horizontalChange = RowRing(scratch.take(8), rowCount: 8)
    horizontalPair = RowRing(scratch.take(8), rowCount: 8)
    vertical = RowRing(scratch.take(4), rowCount: 4)
    verticalChange = RowRing(scratch.take(2), rowCount: 2)
    verticalSum = RowRing(scratch.take(4), rowCount: 4)
    preference = RowRing(scratch.take(8), rowCount: 8)
    difference = RowRing(scratch.take(4), rowCount: 4)
    refined = RowRing(scratch.take(4), rowCount: 4)
    own = RowRing(scratch.take(4), rowCount: 4)
    other = RowRing(scratch.take(4), rowCount: 4)
    refinedOwn = RowRing(scratch.take(4), rowCount: 4)
    refinedOther = RowRing(scratch.take(4), rowCount: 4)
    cross = RowRing(scratch.take(4), rowCount: 4)
  }

  /// Takes the steps that row `y`, which was just put into `colors` and `greens`, makes possible; after
  /// it `finish` may be called for row `y - 8`.
  ///
  /// `first` is the first row of the tile; steps for rows that no row of the tile needs are left out.
  /// `firstPhase` is the phase of even rows, that of odd rows is the other; half rows have `count`
  /// samples.
  func advance(to y: Int, first: Int, firstPhase: Int, count: Int) {
    func phase(_ row: Int) -> Int { firstPhase ^ (row & 1) }
    if let noise {
      noise.light.compress(colors[y], count: count)
      noise.light.compress(greens[y], count: count)
    }
    estimateAlongRow(y, phase: phase(y), count: count)
    if y - 2 >= first - 6 { estimateAlongColumn(y - 2, count: count) }
    if y - 4 >= first - 4 {
      decide(y - 4, phase: phase(y - 4), count: count)
      if let noise, noise.strength > 0 { soften(noise, y - 4, phase: phase(y - 4), count: count) }
    }
    if y - 5 >= first - 3 {
      spread(difference, y - 5, phase: phase(y - 5), count: count, own: own, other: other)
    }
    if y - 6 >= first - 2 {
      if let noise, noise.strength > 0 {
        refine(y - 6, phase: phase(y - 6), count: count, by: Weighted.self)
      } else {
        refine(y - 6, phase: phase(y - 6), count: count, by: Better.self)
      }
    }
    if y - 7 >= first - 1 {
      spread(
        refined,
        y - 7,
        phase: phase(y - 7),
        count: count,
        own: refinedOwn,
        other: refinedOther
      )
    }
  }

  /// Equations (1) to (3) of the paper for the row direction: green by
  /// `(left + right) / 2 + (2 colour - colour left - colour right) / 4`.
  private func estimateAlongRow(_ y: Int, phase: Int, count: Int) {
    let color = colors[y]
    let green = greens[y]
    let k = horizontal[y]
    let change = horizontalChange[y]
    let pair = horizontalPair[y]
    // The green site to the left of colour site i; the one to the right is the next.
    let left = phase - 1
    for i in stride(from: 0, to: count, by: 8) {
      let c = color[lanes: i]
      let greenMean = (green[lanes: i + left] + green[lanes: i + left + 1]) * 0.5
      let curvature = (c + c) - (color[lanes: i - 1] + color[lanes: i + 1])
      k[lanes: i] = c - (greenMean + curvature * 0.25)
    }
    for i in stride(from: 0, to: count, by: 8) {
      change[lanes: i] = (k[lanes: i] - k[lanes: i + 1]).magnitude
      pair[lanes: i] = change[lanes: i] + (k[lanes: i - 1] - k[lanes: i]).magnitude
    }
  }

  /// The same for the column direction of row `y`, and the change from row `y - 2` to it.
  private func estimateAlongColumn(_ y: Int, count: Int) {
    let color = colors[y]
    let above = colors[y - 2]
    let below = colors[y + 2]
    let greenAbove = greens[y - 1]
    let greenBelow = greens[y + 1]
    let k = vertical[y]
    let kAbove = vertical[y - 2]
    let change = verticalChange[y - 2]
    let sum = verticalSum[y - 2]
    for i in stride(from: 0, to: count, by: 8) {
      let c = color[lanes: i]
      let greenMean = (greenAbove[lanes: i] + greenBelow[lanes: i]) * 0.5
      let curvature = (c + c) - (above[lanes: i] + below[lanes: i])
      let estimate = c - (greenMean + curvature * 0.25)
      k[lanes: i] = estimate
      change[lanes: i] = (kAbove[lanes: i] - estimate).magnitude
    }
    for i in stride(from: 0, to: count, by: 8) {
      let sides = change[lanes: i - 1] + change[lanes: i + 1]
      sum[lanes: i] = change[lanes: i] * 3 + sides
    }
  }

  /// Compares the changes of `k` within two pixels, weighted as in the paper's figure 5: those in line
  /// with the site count three times.
  private func decide(_ y: Int, phase: Int, count: Int) {
    let left = phase - 1
    let pair = horizontalPair[y]
    let pairAbove = horizontalPair[y - 2]
    let pairBelow = horizontalPair[y + 2]
    let single = horizontalChange[y - 1]
    let singleBelow = horizontalChange[y + 1]
    let sum = verticalSum[y]
    let sumAbove = verticalSum[y - 2]
    let middle = verticalChange[y - 1]
    let kRow = horizontal[y]
    let kColumn = vertical[y]
    let result = difference[y]
    let prefers = preference[y]
    for i in stride(from: 0, to: count, by: 8) {
      let far = pairAbove[lanes: i] + pairBelow[lanes: i]
      let near = single[lanes: i + left] + singleBelow[lanes: i + left]
      let row = pair[lanes: i] * 3 + (far + near)
      let inLine = sum[lanes: i] + sumAbove[lanes: i]
      let column = inLine + (middle[lanes: i + left] + middle[lanes: i + left + 1])
      let preferred = column - row
      prefers[lanes: i] = preferred
      result[lanes: i] = kColumn[lanes: i].replacing(with: kRow[lanes: i], where: preferred .>= 0)
    }
  }

  /// Colour differences at the green sites of row `y`: its own colour from the colour sites to the left
  /// and right, the other from those above and below.
  private func spread(
    _ difference: RowRing,
    _ y: Int,
    phase: Int,
    count: Int,
    own: RowRing,
    other: RowRing
  ) {
    let k = difference[y]
    let above = difference[y - 1]
    let below = difference[y + 1]
    let ownRow = own[y]
    let otherRow = other[y]
    for i in stride(from: 0, to: count, by: 8) {
      ownRow[lanes: i] = (k[lanes: i - phase] + k[lanes: i - phase + 1]) * 0.5
      otherRow[lanes: i] = (above[lanes: i] + below[lanes: i]) * 0.5
    }
  }

  /// Where noise hides which direction is the better one, the two are mixed.
  private func soften(_ noise: Noise, _ y: Int, phase: Int, count: Int) {
    let left = phase - 1
    let color = colors[y]
    let green = greens[y]
    let kRow = horizontal[y]
    let kColumn = vertical[y]
    let result = difference[y]
    let prefers = preference[y]
    for i in stride(from: 0, to: count, by: 8) {
      let greenMean = (green[lanes: i + left] + green[lanes: i + left + 1]) * 0.5
      let level = (color[lanes: i] + greenMean) * 0.5
      let weight = noise.weight(preference: prefers[lanes: i], level: level)
      prefers[lanes: i] = weight
      let column = kColumn[lanes: i]
      result[lanes: i] = column + (kRow[lanes: i] - column) * weight
    }
  }

  /// Refines `k` at the colour sites of row `y` and starts the other colour there.
  private func refine<Choice: DirectionChoice>(
    _ y: Int,
    phase: Int,
    count: Int,
    by choice: Choice.Type
  ) {
    let left = phase - 1
    let k = difference[y]
    let prefers = preference[y]
    let ownRow = own[y]
    let otherRow = other[y]
    // The rows above and below have the other colour's sites, so own and other change places there.
    let ownAbove = own[y - 1]
    let otherAbove = other[y - 1]
    let ownBelow = own[y + 1]
    let otherBelow = other[y + 1]
    let result = refined[y]
    let crossRow = cross[y]
    let third = Float(1.0 / 3)
    for i in stride(from: 0, to: count, by: 8) {
      let preferred = prefers[lanes: i]
      let ownLeft = ownRow[lanes: i + left]
      let ownRight = ownRow[lanes: i + left + 1]
      let aroundRow = ownLeft + ownRight
      let aroundColumn = otherAbove[lanes: i] + otherBelow[lanes: i]
      let around = choice.of(row: aroundRow, column: aroundColumn, preferred)
      result[lanes: i] = (k[lanes: i] + around) * third

      let crossLeft = otherRow[lanes: i + left] - ownLeft
      let crossRight = otherRow[lanes: i + left + 1] - ownRight
      let crossAbove = otherAbove[lanes: i] - ownAbove[lanes: i]
      let crossBelow = otherBelow[lanes: i] - ownBelow[lanes: i]
      let negated = -(crossAbove + crossBelow)
      let crossing = choice.of(row: crossLeft + crossRight, column: negated, preferred)
      crossRow[lanes: i] = crossing * 0.5
    }
  }

  /// The three colours of row `y`, whose phase is `phase`: own colour, green and other colour at the
  /// colour sites and at the green sites.
  func finish(
    _ y: Int,
    phase: Int,
    count: Int,
    atColors: [3 of SampleRow],
    atGreens: [3 of SampleRow]
  ) {
    guard let noise else {
      finish(y, phase, count, atColors, atGreens, by: Better.self, in: LinearLight())
      return
    }
    if noise.strength > 0 {
      finish(y, phase, count, atColors, atGreens, by: Weighted.self, in: noise.light)
    } else {
      finish(y, phase, count, atColors, atGreens, by: Better.self, in: noise.light)
    }
  }

  private func finish<Choice: DirectionChoice, Light: LightDomain>(
    _ y: Int,
    _ phase: Int,
    _ count: Int,
    _ atColors: [3 of SampleRow],
    _ atGreens: [3 of SampleRow],
    by choice: Choice.Type,
    in light: Light
  ) {
    let left = phase - 1
    let color = colors[y]
    let green = greens[y]
    let k = refined[y]
    let prefers = preference[y]
    let crossRow = cross[y]
    let ownRow = refinedOwn[y]
    let otherRow = refinedOther[y]
    let ownAbove = refinedOwn[y - 1]
    let otherAbove = refinedOther[y - 1]
    let ownBelow = refinedOwn[y + 1]
    let otherBelow = refinedOther[y + 1]
    let third = Float(1.0 / 3)
    for i in stride(from: 0, to: count, by: 8) {
      let crossLeft = otherRow[lanes: i + left] - ownRow[lanes: i + left]
      let crossRight = otherRow[lanes: i + left + 1] - ownRow[lanes: i + left + 1]
      let crossAbove = otherAbove[lanes: i] - ownAbove[lanes: i]
      let crossBelow = otherBelow[lanes: i] - ownBelow[lanes: i]
      let negated = -(crossAbove + crossBelow)
      let preferred = prefers[lanes: i]
      let around = choice.of(row: crossLeft + crossRight, column: negated, preferred)
      let otherLessOwn = (crossRow[lanes: i] + around) * third

      let c = color[lanes: i]
      atColors[0][lanes: i] = light.restored(c)
      atColors[1][lanes: i] = light.restored(c - k[lanes: i])
      atColors[2][lanes: i] = light.restored(c + otherLessOwn)

      let g = green[lanes: i]
      atGreens[0][lanes: i] = light.restored(g + ownRow[lanes: i])
      atGreens[1][lanes: i] = light.restored(g)
      atGreens[2][lanes: i] = light.restored(g + otherRow[lanes: i])
    }
  }
}
