import ColorScience
import Raster
import RawModel
import SceneStatistics
import TestSupport
import Testing

@Suite struct SensorStatisticsTests {
  private static let one = TileScheduler(laneCount: 1)

  @Test(arguments: CFAPattern.allCases)
  func planesAreTheCellsPhotosites(pattern: CFAPattern) throws {
    let size = PixelSize(width: 6, height: 4)
    let description = StatisticsFrame.description(size, layout: .mosaic(pattern))
    // 1000 for red, 2000 for greens (2001 in blue's rows), 3000 for blue.
    let frame = try StatisticsFrame.frame(description) { x, y in
      let row = y & 1
      let color = pattern.colors[2 * row + (x & 1)]
      let isBlueRow = pattern.colors[2 * row] == 2 || pattern.colors[2 * row + 1] == 2
      return [1000, isBlueRow ? 2001 : 2000, 3000][color]
    }
    let statistics = try SensorStatistics.measure(frame, scheduler: Self.one)
    #expect(statistics.planes.map(\.plane) == SensorPlane.planes(of: .mosaic(pattern)))
    for plane in statistics.planes {
      let level: Int? =
        switch plane.plane {
        case .red: 1000
        case .green1: 2000
        case .green2: 2001
        case .blue: 3000
        case .green, .gray: nil
        }
      #expect(plane.minimum == level && plane.maximum == level && plane.count == 6)
      #expect(plane.standardDeviation == 0 && plane.median == level)
    }
    #expect(statistics.greenBalance?.ratio == 2000.0 / 2001)
    #expect(statistics.limiting?.plane == .blue)
    let neutral = try #require(statistics.greyWorldNeutral)
    #expect(abs(neutral[0] - 1.0 / 3) < 1e-15 && neutral[2] == 1)
    #expect(abs(neutral[1] - 2000.5 / 3000) < 1e-15)
  }

  /// A crop of fractions has the pixels whose centres it holds; patterns begin at the active area.
  @Test func areaAndPhases() throws {
    let description = StatisticsFrame.description(
      PixelSize(width: 9, height: 8),
      layout: .mosaic(.grbg),
      activeArea: Region(left: 1, top: 1, width: 8, height: 7),
      crop: DefaultCrop(originX: 0.6, originY: 2.5, width: 5, height: 3)
    )
    let frame = try StatisticsFrame.frame(description) { x, y in 100 * y + x }
    let statistics = try SensorStatistics.measure(frame, scheduler: Self.one)
    // Centres 0.5 ... between 0.6 and 5.6: columns 1 to 5; between 2.5 and 5.5: rows 2 to 4.
    #expect(statistics.area == Region(left: 2, top: 3, width: 5, height: 3))
    let expected: [SensorPlane: [Int]] = [
      .green1: [303, 305, 503, 505], .red: [302, 304, 306, 502, 504, 506],
      .blue: [403, 405], .green2: [402, 404, 406],
    ]
    for plane in statistics.planes {
      let levels = try #require(expected[plane.plane])
      #expect(plane.count == levels.count && plane.minimum == levels.min())
      #expect(plane.maximum == levels.max())
    }
  }

  @Test func linearRawAndMonochrome() throws {
    let color = try StatisticsFrame.frame(
      StatisticsFrame.description(PixelSize(width: 4, height: 3), layout: .linear(planes: 3))
    ) { x, _ in [10, 20, 30][x % 3] }
    let three = try SensorStatistics.measure(color, scheduler: Self.one)
    #expect(three.planes.map(\.plane) == [.red, .green, .blue])
    #expect(three.planes.map(\.mean) == [10, 20, 30] && three.greenBalance == nil)
    let gray = try StatisticsFrame.frame(
      StatisticsFrame.description(PixelSize(width: 4, height: 3), layout: .linear(planes: 1))
    ) { x, y in x + y }
    let single = try SensorStatistics.measure(gray, scheduler: Self.one)
    #expect(single.planes.map(\.plane) == [.gray] && single.planes[0].mean == 2.5)
    #expect(single.greyWorldNeutral == nil)
  }

  @Test func blackIsTheMeanOfAPlanesPhotosites() throws {
    let level = BlackLevel(
      repeatRows: 4,
      repeatColumns: 2,
      samplesPerPixel: 1,
      values: [1, 2, 3, 4, 5, 6, 7, 8],
      deltaH: [0, 10, 0, 30],
      deltaV: Array(repeating: 0.5, count: 8)
    )
    let description = StatisticsFrame.description(PixelSize(width: 4, height: 8), black: level)
    let frame = try StatisticsFrame.frame(description) { _, _ in 500 }
    let statistics = try SensorStatistics.measure(frame, scheduler: Self.one)
    // Rows 0 2 4 6 of column parity 0: (1 + 5) / 2 + 0.5; parity 1: (2 + 6) / 2 + 20 + 0.5.
    #expect(statistics.planes.map(\.black) == [3.5, 24.5, 5.5, 26.5])
  }

  @Test func exposureAndClipping() throws {
    let description = StatisticsFrame.description(PixelSize(width: 8, height: 8), white: 1024)
    // Red photosites from 1024 down by one EV a column, then nothing.
    let frame = try StatisticsFrame.frame(description) { x, y in
      x & 1 == 0 && y & 1 == 0 ? [1024, 512, 511, 0][x / 2] : 4
    }
    let red = try SensorStatistics.measure(frame, scheduler: Self.one).planes[0]
    #expect(red.clippedCount == 4 && red.underexposedCount == 4)
    #expect(red.exposure.clipped == 4 && red.exposure.notPositive == 4 && red.exposure.deeper == 0)
    // 512 is exactly one EV under the clip level: at most 3/3 EV, so in the third bin; 511 in the fourth.
    #expect(red.exposure.counts[2] == 4 && red.exposure.counts[3] == 4)
    #expect(red.exposure.counts.reduce(0, +) == 8)
    #expect(red.headroomEV == 0)
    let green = try SensorStatistics.measure(frame, scheduler: Self.one).planes[1]
    #expect(green.headroomEV == 8 && green.underexposedCount == 0)
  }

  /// A sensor that stops at 900 of 1024: its pile is found, the declared level finds nothing.
  @Test func saturationBelowTheDeclaredWhite() throws {
    let description = StatisticsFrame.description(PixelSize(width: 256, height: 64), white: 1024)
    var generator = SeededGenerator(seed: 7)
    let frame = try StatisticsFrame.frame(description) { x, y in
      min(900, Int.random(in: 100...1000, using: &generator))
    }
    for plane in try SensorStatistics.measure(frame, scheduler: Self.one).planes {
      #expect(plane.clippedCount == 0 && plane.saturationLevel == 900)
      #expect(plane.saturatedCount == plane.linearized[900] && plane.clipLevel == 900)
    }
    let even = try StatisticsFrame.frame(description) { x, y in (x + 256 * y) % 901 }
    for plane in try SensorStatistics.measure(even, scheduler: Self.one).planes {
      #expect(plane.saturationLevel == nil && plane.clipLevel == 1024)
    }
  }

  /// Black, slope and offset of a computed sensor come back.
  @Test(arguments: [(2e-4, 1e-6), (1e-3, 2e-5)])
  func noiseOfAKnownSensor(slope: Double, offset: Double) throws {
    let black = 512.0
    let white = 16383.0
    let level = BlackLevel(repeatRows: 1, repeatColumns: 1, samplesPerPixel: 1, values: [black])
    let description = StatisticsFrame.description(
      PixelSize(width: 1536, height: 1024),
      black: level,
      white: white
    )
    var generator = SeededGenerator(seed: 11)
    let frame = try StatisticsFrame.frame(description) { x, _ in
      // A square ramp, dark enough for the offset, with its noise: twelve uniform numbers make a
      // normal one.
      let signal = Double(x * x) / Double(1536 * 1536) * 0.9
      let normal = (0..<12).reduce(-6.0) { sum, _ in
        sum + Double.random(in: 0..<1, using: &generator)
      }
      let noisy = signal + normal * (slope * signal + offset).squareRoot()
      return Int(max(0, (black + noisy * (white - black)).rounded()))
    }
    let statistics = try SensorStatistics.measure(frame, scheduler: TileScheduler(laneCount: 2))
    for fit in statistics.noise {
      let fit = try #require(fit)
      #expect(abs(fit.slope / slope - 1) < 0.05)
      #expect(abs(fit.offset - offset) < 0.1 * offset + 2e-7)
    }
  }

  /// What a camera is made of comes back: S, O, black of masked pixels, white, where it stops.
  @Test func aKnownCamera() throws {
    let (slope, offset) = (4e-4, 2e-6)
    let (black, white, stop) = (511.3, 16383.0, 15_000)
    var description = StatisticsFrame.description(
      PixelSize(width: 1_040, height: 768),
      black: BlackLevel(repeatRows: 1, repeatColumns: 1, samplesPerPixel: 1, values: [512]),
      white: white,
      activeArea: Region(left: 16, top: 0, width: 1_024, height: 768),
      crop: DefaultCrop(originX: 8, originY: 8, width: 1_000, height: 700)
    )
    description.maskedAreas = [Region(left: 0, top: 0, width: 16, height: 768)]
    description.noiseProfile = NoiseProfile(planes: [.init(scale: slope, offset: offset)])
    description.color.asShotWhite = .neutral(SIMD3(0.5, 1, 0.7))
    var generator = SeededGenerator(seed: 21)
    let frame = try StatisticsFrame.frame(description) { x, y in
      let signal = x < 16 ? 0 : Double((x - 16) * (x - 16)) / Double(1_024 * 1_024)
      // The greens of blue's rows see 3 % less.
      let light = signal * (x & 1 == 0 && y & 1 == 1 ? 0.97 : 1)
      let normal = (0..<12).reduce(-6.0) { sum, _ in
        sum + Double.random(in: 0..<1, using: &generator)
      }
      let value = black + (light + normal * (slope * light + offset).squareRoot()) * (white - black)
      return Int(min(max(value.rounded(), 0), Double(stop)))
    }
    let statistics = try SensorStatistics.measure(frame, scheduler: TileScheduler(laneCount: 2))
    #expect(statistics.area == Region(left: 24, top: 8, width: 1_000, height: 700))
    #expect(statistics.asShotNeutral == SIMD3(0.5, 1, 0.7))
    for (index, plane) in statistics.planes.enumerated() {
      let masked = try #require(statistics.masked[index])
      #expect(masked.count == 8 * 384 && abs(masked.mean - black) < 1)
      let read = offset.squareRoot() * (white - black)
      #expect(abs(masked.standardDeviation / read - 1) < 0.05)
      #expect(plane.white == white && plane.black == 512 && plane.saturationLevel == stop)
      #expect(plane.clippedCount == 0 && plane.saturatedCount == plane.linearized[stop])
      #expect(statistics.declaredNoise[index] == .init(scale: slope, offset: offset))
      let fit = try #require(statistics.noise[index])
      #expect(abs(fit.slope / slope - 1) < 0.06 && abs(fit.offset / offset - 1) < 0.2)
    }
    let greens = try #require(statistics.greenBalance)
    #expect(abs(greens.ratio - 1 / 0.97) < 0.01)
    // 3 % of the mean of both, and what noise does to the darkest twentieth of the blocks.
    #expect((greens.localDifference ?? 0) > 0.03)
  }

  @Test func greensThatDifferByPlace() throws {
    let description = StatisticsFrame.description(PixelSize(width: 64, height: 48), white: 1_000)
    // Eight levels in turn, so that none is a pile. Blocks of 16: green 1 at 499.5 on average, green 2
    // lower by five more in each of four columns.
    let frame = try StatisticsFrame.frame(description) { x, y in
      let level = 496 + x / 2 % 8
      if x & 1 == 1, y & 1 == 0 { return level }
      if x & 1 == 0, y & 1 == 1 { return level - 5 * (x / 16) }
      return 300
    }
    let greens = try #require(
      try SensorStatistics.measure(frame, scheduler: Self.one).greenBalance
    )
    // Twelve blocks, three of each difference: the 95th percentile is the largest.
    #expect(greens.localDifference == 15 / 492.0)
    #expect(greens.ratio == 499.5 / 492)
  }

  @Test func floatsBecomeLevels() throws {
    let size = PixelSize(width: 4, height: 2)
    var description = StatisticsFrame.description(size, layout: .linear(planes: 1), white: 2)
    description.sampleFormat = .floatingPoint
    description.linearizationTable = [9, 9, 9]
    var plane = try Plane<Float>(width: 4, height: 2)
    let values: [[Float]] = [[-1, 0, 1, 2], [3, .nan, .infinity, 0.5]]
    for y in 0..<2 {
      plane.withMutableRow(y) { row in
        for x in 0..<4 { row[x] = values[y][x] }
      }
    }
    let frame = RawFrame(samples: .float32(plane), description: description)
    let statistics = try SensorStatistics.measure(frame, scheduler: Self.one)
    #expect(statistics.levelsPerUnit == 32_767.5)
    let gray = statistics.planes[0]
    // 1 is 32,767.5, rounded away from zero; NaN is 0; infinity is white.
    #expect(gray.stored[0] == 3 && gray.stored[32_768] == 1 && gray.stored[16_384] == 1)
    #expect(gray.stored[65_535] == 3 && gray.clippedCount == 3 && gray.white == 65_535)
    #expect(!gray.isLinearized)
  }

  @Test func wideIntegersBecomeLevels() throws {
    let size = PixelSize(width: 2, height: 1)
    let description = StatisticsFrame.description(
      size,
      layout: .linear(planes: 1),
      black: BlackLevel(repeatRows: 1, repeatColumns: 1, samplesPerPixel: 1, values: [1_048_576]),
      white: Double(1 << 24)
    )
    var plane = try Plane<UInt32>(width: 2, height: 1)
    plane.withMutableRow(0) { row in
      row[0] = 1 << 24
      row[1] = 1 << 23
    }
    let frame = RawFrame(samples: .uint32(plane), description: description)
    let gray = try SensorStatistics.measure(frame, scheduler: Self.one).planes[0]
    #expect(gray.maximum == 65_535 && gray.minimum == 32_768 && gray.black == 65_535.0 / 16)
  }

  @Test func binsReachFromBlackToWhite() throws {
    let level = BlackLevel(repeatRows: 1, repeatColumns: 1, samplesPerPixel: 1, values: [100])
    let description = StatisticsFrame.description(
      PixelSize(width: 6, height: 1),
      layout: .linear(planes: 1),
      black: level,
      white: 500
    )
    let frame = try StatisticsFrame.frame(description) { x, _ in [0, 100, 199, 200, 499, 900][x] }
    let gray = try SensorStatistics.measure(frame, scheduler: Self.one).planes[0]
    #expect(gray.histogram(binCount: 4) == [3, 1, 0, 2])
  }

  @Test(arguments: [2, 7])
  func lanesDoNotMatter(lanes: Int) throws {
    let description = StatisticsFrame.description(PixelSize(width: 301, height: 277), white: 4000)
    var generator = SeededGenerator(seed: 3)
    let frame = try StatisticsFrame.frame(description) { _, _ in
      Int.random(in: 0...4095, using: &generator)
    }
    let many = try SensorStatistics.measure(frame, scheduler: TileScheduler(laneCount: lanes))
    #expect(try SensorStatistics.measure(frame, scheduler: Self.one) == many)
  }

  @Test func whatCannotBeMeasured() throws {
    let size = PixelSize(width: 4, height: 4)
    let four = try StatisticsFrame.frame(
      StatisticsFrame.description(size, layout: .linear(planes: 4))
    ) { _, _ in 1 }
    #expect(throws: StatisticsError.layoutUnsupported(planes: 4)) {
      _ = try SensorStatistics.measure(four, scheduler: Self.one)
    }
    let dark = try StatisticsFrame.frame(StatisticsFrame.description(size, white: 0)) { _, _ in 1 }
    #expect(throws: StatisticsError.levelsUnusable(plane: "red", black: 0, white: 0)) {
      _ = try SensorStatistics.measure(dark, scheduler: Self.one)
    }
    let empty = StatisticsFrame.description(
      size,
      crop: DefaultCrop(originX: 9, originY: 0, width: 1, height: 1)
    )
    let outside = try StatisticsFrame.frame(empty) { _, _ in 1 }
    #expect(throws: StatisticsError.areaUnusable(tag: "DefaultCropSize")) {
      _ = try SensorStatistics.measure(outside, scheduler: Self.one)
    }
  }
}
