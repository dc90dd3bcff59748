import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import TestSupport
import Testing

@Suite struct MoireReductionTests {
  private static func luma(_ picture: PlaneArrays, _ index: Int) -> Double {
    let sum = picture.colors[0][index] + 2 * picture.colors[1][index] + picture.colors[2][index]
    return Double(sum) / 4
  }

  /// Bands of colour over lines as fine as the photosites.
  private static func bands(_ width: Int, _ height: Int) -> PlaneArrays {
    PlaneArrays(width: width, height: height) { color, x, y in
      let line: Float = x & 1 == 0 ? 0.15 : 0.45
      let band: Float = x / 4 % 2 == 0 ? 0.1 : -0.1
      return line + [band, 0, -band][color]
    }
  }

  @Test func theKernelAgreesWithItsTwin() throws {
    var generator = SeededGenerator(seed: 41)
    let picture = PlaneArrays(width: 45, height: 37) { color, x, y in
      let shape: Float = (x / 12 + y / 12) % 2 == 0 ? 0.2 : 0.5
      return shape * [1, 0.8, 0.6][color] + Float.random(in: 0..<0.06, using: &generator)
    }
    let kernel = PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: 0.8))
    #expect(kernel.largestDifference(from: twin(picture, 0.8)) < 3e-6)
  }

  /// The definition of the stage in double precision, over the whole picture.
  private func twin(_ picture: PlaneArrays, _ amount: Double) -> PlaneArrays {
    let (width, height) = (picture.width, picture.height)
    func sample(_ color: Int, _ x: Int, _ y: Int) -> Double {
      let index = MirroredField.index(y, height) * width + MirroredField.index(x, width)
      return Double(picture.colors[color][index])
    }
    let luma = MirroredField(width, height, margin: 24) { x, y in
      (sample(0, x, y) + 2 * sample(1, x, y) + sample(2, x, y)) / 4
    }
    let colors = [0, 2].map { color in
      MirroredField(width, height, margin: 24) { x, y in sample(color, x, y) - sample(1, x, y) }
    }
    let fine = luma.smoothed(step: 1, margin: 20)
    let power = MirroredField(width, height, margin: 4) { x, y in
      (luma[x, y] - fine[x, y]) * (luma[x, y] - fine[x, y])
    }.smoothed(step: 2, margin: 0)
    func middle(_ field: MirroredField) -> (mean: MirroredField, band: MirroredField) {
      let once = field.smoothed(step: 1, margin: 20)
      let mean = once.smoothed(step: 2, margin: 16).smoothed(step: 4, margin: 6)
      return (mean, MirroredField(width, height, margin: 6) { once[$0, $1] - mean[$0, $1] })
    }
    func product(_ a: MirroredField, _ b: MirroredField) -> MirroredField {
      MirroredField(width, height, margin: 6) { a[$0, $1] * b[$0, $1] }.smoothed(step: 3, margin: 0)
    }
    let guide = middle(luma)
    let guideSquare = product(guide.band, guide.band)
    let chroma = colors.map(middle)
    let slopes = chroma.map { product($0.band, guide.band) }
    var result = picture
    for y in 0..<height {
      for x in 0..<width {
        let light = max(luma[x, y], 1e-4)
        let share =
          amount * TwinFormula.smoothStep((power[x, y] / (light * light) - 0.0004) / 0.006)
        let detail = luma[x, y] - guide.mean[x, y]
        let divisor = guideSquare[x, y] + power[x, y] / 10 + light * light / 1e6
        let limit = 2 * power[x, y].squareRoot()
        let d = (0..<2).map { color in
          let explained = chroma[color].mean[x, y] + slopes[color][x, y] / divisor * detail
          return min(max(explained - colors[color][x, y], -limit), limit) * share
        }
        let rest = (d[0] + d[1]) / 4
        result.colors[0][y * width + x] += Float(d[0] - rest)
        result.colors[1][y * width + x] -= Float(rest)
        result.colors[2][y * width + x] += Float(d[1] - rest)
      }
    }
    return result
  }

  @Test func bandsOfColourGoAndLumaStays() throws {
    let picture = Self.bands(80, 60)
    let reduced = PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: 1))
    for index in picture.colors[0].indices {
      #expect(abs(Self.luma(reduced, index) - Self.luma(picture, index)) < 1e-6)
    }
    func swing(_ picture: PlaneArrays) -> Float {
      var values: [Float] = []
      for x in 20..<60 {
        let index = 30 * 80 + x
        values.append(picture.colors[0][index] - picture.colors[1][index])
      }
      return (values.max() ?? 0) - (values.min() ?? 0)
    }
    #expect(swing(reduced) < 0.3 * swing(picture))
  }

  /// Light as a mosaic sees it, demosaiced as pictures are.
  private static func demosaiced(_ side: Int, _ light: (Int, Int) -> [Double]) throws
    -> PlaneArrays
  {
    var mosaic = try Plane<Float>(width: side, height: side)
    for y in 0..<side {
      mosaic.withMutableRow(y) { row in
        for x in row.indices {
          row[x] = Float(light(x, y)[CFAPattern.rggb.colors[2 * (y & 1) + (x & 1)]])
        }
      }
    }
    return PlaneArrays(
      try Demosaicer.menon(mosaic, pattern: .rggb, scheduler: TileScheduler(laneCount: 1))
    )
  }

  /// A colour difference (of red or blue to green) without its mean, edges left out.
  private static func chroma(_ picture: PlaneArrays, _ color: Int) -> [Double] {
    var values: [Double] = []
    for y in 24..<(picture.height - 24) {
      for x in 24..<(picture.width - 24) {
        let index = y * picture.width + x
        values.append(Double(picture.colors[color][index] - picture.colors[1][index]))
      }
    }
    let mean = values.reduce(0, +) / Double(values.count)
    return values.map { $0 - mean }
  }

  /// Stripes of two real colours, eight pixels from one to the next (a quarter of Nyquist's frequency), keep what
  /// the demosaic has of their colour, in every direction; smoothing alone left a fifth at the most.
  @Test(arguments: [(0.125, 0.0), (0, 0.125), (0.0884, 0.0884)], [false, true])
  func colouredStripesStay(frequency: (x: Double, y: Double), isSharp: Bool) throws {
    let (yellow, blue) = ([0.6, 0.4, 0.15], [0.1, 0.12, 0.3])
    func light(_ x: Int, _ y: Int) -> [Double] {
      let phase = frequency.x * Double(x) + frequency.y * Double(y) + 0.05
      let wave = PortableMath.sin(2 * .pi * phase) / 2 + 0.5
      let share = isSharp ? (wave > 0.5 ? 1 : 0) : wave
      return (0..<3).map { blue[$0] + (yellow[$0] - blue[$0]) * share }
    }
    let truth = PlaneArrays(width: 128, height: 128) { Float(light($1, $2)[$0]) }
    let picture = try Self.demosaiced(128, light)
    let reduced = PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: 1))
    for color in [0, 2] {
      let wanted = Self.chroma(truth, color)
      func kept(_ picture: PlaneArrays) -> Double {
        zip(Self.chroma(picture, color), wanted).reduce(0) { $0 + $1.0 * $1.1 }
      }
      #expect(kept(picture) > 0.25 * kept(truth))
      #expect(kept(reduced) > 0.85 * kept(picture), "colour \(color)")
    }
  }

  /// Grey lines finer than the mosaic's grids lose the colours that the demosaic gave them.
  @Test(arguments: [(0.36, 0.31), (0.4, 0.35), (0.35, 0.35)])
  func falseColourGoes(frequency: (x: Double, y: Double)) throws {
    let picture = try Self.demosaiced(128) { x, y in
      let phase = frequency.x * Double(x) + frequency.y * Double(y)
      let level = 0.3 + 0.2 * PortableMath.sin(2 * .pi * phase)
      return [level, level, level]
    }
    let reduced = PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: 1))
    for color in [0, 2] {
      func deviation(_ picture: PlaneArrays) -> Double {
        let values = Self.chroma(picture, color)
        return (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
      }
      #expect(deviation(picture) > 0.02)
      #expect(deviation(reduced) < 0.2 * deviation(picture), "colour \(color)")
    }
  }

  @Test func calmAreasStay() throws {
    let picture = PlaneArrays(width: 50, height: 40) { color, x, y in
      [0.3, 0.4, 0.5][color] + Float(x) * 0.001 * [1, -1, 0.5][color]
    }
    let reduced = PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: 1))
    #expect(reduced.largestDifference(from: picture) < 1e-7)
  }

  @Test func monotoneAndContinuousInTheAmount() throws {
    let picture = Self.bands(64, 48)
    var last = 0.0
    for amount in [1e-5, 0.2, 0.5, 1] {
      let reduced = PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: amount))
      let distance = reduced.distance(from: picture)
      #expect(distance >= last)
      if amount < 1e-4 { #expect(distance < 1e-5) }
      last = distance
    }
  }

  @Test(arguments: [1, 13, 30])
  func tilesDoNotMatter(side: Int) throws {
    let picture = Self.bands(70, 50)
    let tile = PixelSize(width: side, height: side + 3)
    #expect(
      PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: 0.6, tileSize: tile))
        == PlaneArrays(try MoireReducer.reduce(picture.planes(), amount: 0.6))
    )
  }

  /// Demosaiced samples have no filter colours left to mistake: the recipe's wish is reported.
  @Test func withoutAMosaicItIsReported() throws {
    var adjustments = DevelopAdjustments()
    adjustments.moireReductionAmount = 0.5
    adjustments.despeckleAmount = 0.5
    let linear = TestFrame.description(8, 8, layout: .linear(planes: 3))
    let settings = try DevelopSettings(resolving: adjustments, for: linear)
    #expect(settings.moireReductionAmount == 0 && settings.despeckleAmount == 0)
    #expect(
      settings.unsupported == [
        "moireReductionAmount: the raw is no mosaic", "despeckleAmount: the raw is no mosaic",
      ]
    )
    #expect(settings.resolved.contains { $0.name == "unsupported" })
    let mosaic = TestFrame.description(8, 8, layout: .mosaic(.rggb))
    #expect(
      try DevelopSettings(resolving: adjustments, for: mosaic).unsupported.isEmpty
    )
  }
}
