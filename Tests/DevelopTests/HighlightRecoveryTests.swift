import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import TestSupport
import Testing

@Suite struct HighlightRecoveryTests {
  /// A camera under whose white red and blue clip at twice and one and a half times green.
  private static let camera = CameraColor(
    calibrations: [.init(illuminant: 21, colorMatrix: RGBSpace.displayP3.fromXYZ)],
    asShotWhite: .neutral(Vector3(0.5, 1, 2.0 / 3))
  )
  private static let white = 60000.0
  /// Clip levels in balanced values.
  private static let gains = [2.0, 1, 1.5]

  struct Mosaic {
    var width: Int
    var stored: [Double]
    var rebuilt: [Double]
    subscript(x: Int, y: Int) -> Double { rebuilt[y * width + x] }
  }

  /// Develops a scene of balanced light, clipped by the sensor; balanced samples before and after recovery.
  static func mosaic(
    _ width: Int,
    _ height: Int,
    tile: PixelSize = PixelSize(width: 512, height: 512),
    _ light: (Int, Int) -> [Double]
  ) throws -> Mosaic {
    let description = TestFrame.description(
      width,
      height,
      layout: .mosaic(.rggb),
      color: camera,
      white: white
    )
    let frame = try TestFrame.frame(description) { x, y in
      let color = CFAPattern.rggb.colors[2 * (y & 1) + (x & 1)]
      return UInt16(min(light(x, y)[color] / gains[color], 1) * white)
    }
    func samples(_ isRecovered: Bool) throws -> [Double] {
      var adjustments = DevelopAdjustments()
      adjustments.isHighlightRecoveryEnabled = isRecovered
      let settings = try DevelopSettings(resolving: adjustments, for: description)
      let plane = try Developer.mosaic(of: frame, settings: settings, tileSize: tile)
      var values: [Double] = []
      if let plane {
        for y in 0..<height {
          plane.withRow(y) { row in for x in row.indices { values.append(Double(row[x])) } }
        }
      }
      return values
    }
    return Mosaic(width: width, stored: try samples(false), rebuilt: try samples(true))
  }

  /// The kernel beside its naive twin, over coloured light that clips here and there.
  @Test(arguments: [UInt64(3), 4, 5])
  func theKernelIsItsTwin(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let lamps = (0..<6).map { _ in
      (
        x: Double.random(in: 0..<192, using: &generator),
        y: Double.random(in: 0..<128, using: &generator),
        hue: (0..<3).map { _ in Double.random(in: 0.2...1, using: &generator) }
      )
    }
    let noise = (0..<(192 * 128 * 3)).map { _ in Double.random(in: 0.9...1.1, using: &generator) }
    let result = try Self.mosaic(192, 128, tile: PixelSize(width: 50, height: 70)) { x, y in
      var light = [0.1, 0.1, 0.12]
      for lamp in lamps {
        let (dx, dy) = (Double(x) - lamp.x, Double(y) - lamp.y)
        let level = 500 / (dx * dx + dy * dy + 120)
        for color in 0..<3 { light[color] += level * lamp.hue[color] }
      }
      return (0..<3).map { light[$0] * noise[3 * (y * 192 + x) + $0] }
    }
    // What the chromaticity of the file's white comes to, which is rounded.
    var gains = Self.gains
    for color in 0..<3 {
      let clipped = (0..<(192 * 128)).filter {
        CFAPattern.rggb.colors[2 * ($0 / 192 & 1) + ($0 % 192 & 1)] == color
      }.map { result.stored[$0] }.max()
      let level = try #require(clipped)
      // Every channel clips somewhere, so that its largest balanced value is its gain.
      #expect(abs(level - gains[color]) < 1e-3)
      gains[color] = level
    }
    let samples = result.stored.enumerated().map { index, value in
      let color = CFAPattern.rggb.colors[2 * (index / 192 & 1) + (index % 192 & 1)]
      return value / gains[color]
    }
    let twin = HighlightTwin(
      width: 192,
      height: 128,
      pattern: .rggb,
      gains: gains,
      samples: samples
    )
    var rebuiltCount = 0
    for (index, expected) in twin.rebuilt().enumerated() {
      #expect(abs(result.rebuilt[index] - expected) < 2e-4 * max(expected, 1), "\(index)")
      if result.rebuilt[index] > 1.01 * result.stored[index] { rebuiltCount += 1 }
    }
    #expect(rebuiltCount > 200, "\(rebuiltCount) samples were rebuilt")
  }

  /// The chromaticity is that of the file's white, up to its rounding; the test's own arithmetic is that.
  @Test func gainsAreAsTheTestSays() throws {
    let result = try Self.mosaic(16, 16) { _, _ in [0.4, 0.4, 0.4] }
    for value in result.stored { #expect(abs(value - 0.4) < 1e-3) }
  }

  /// Neutral light over green's clip level comes back from red and blue: neutral, and exact up to where red
  /// comes near clipping too and all go over into the highest level.
  @Test func neutralHighlightsComeBack() throws {
    func light(_ x: Int) -> Double { 0.3 + 1.6 * Double(x) / 256 }
    let result = try Self.mosaic(256, 64) { x, _ in [light(x), light(x), light(x)] }
    for x in 4..<250 {
      // One of each colour, the greens' mean two columns apart.
      let row = 30
      let levels = [result[x, row], result[x + 1, row], result[x, row + 1], result[x + 1, row + 1]]
      for level in levels {
        #expect(abs(level / light(x) - 1) < (light(x) < 1.58 ? 0.02 : 0.12))
        #expect(abs(level / levels[0] - 1) < 0.03)
      }
    }
  }

  /// What is all clipped is neutral, at the highest clip level.
  @Test func whatIsAllClippedIsNeutral() throws {
    let result = try Self.mosaic(64, 64) { _, _ in [5, 5, 5] }
    for value in result.rebuilt { #expect(abs(value - 2) < 1e-5) }
  }

  /// The colour of a light is kept up to where its other channels come near clipping.
  @Test func colouredHighlightsKeepTheirColour() throws {
    // Orange: red clips at 2, when green is at 0.5 of its range.
    func light(_ x: Int, _ y: Int) -> [Double] {
      let distance = Double((x - 64) * (x - 64) + (y - 64) * (y - 64)).squareRoot()
      let level = max(2.6 - distance / 16, 0.2)
      return [level, level / 4, level / 8]
    }
    let result = try Self.mosaic(128, 128, light)
    for y in stride(from: 40, to: 88, by: 2) {
      for x in stride(from: 40, to: 88, by: 2) {
        #expect(abs(result[x, y] / light(x, y)[0] - 1) < 0.06)
      }
    }
  }

  /// Never under what was stored, and what is not near clipping stays to the bit.
  @Test func nothingIsLoweredAndTheRestStays() throws {
    var generator = SeededGenerator(seed: 21)
    let result = try Self.mosaic(150, 130) { x, y in
      let level = x / 10 % 2 == 0 ? 0.3 : 1.6
      return (0..<3).map { _ in level * Double.random(in: 0.5..<1.5, using: &generator) }
    }
    for (index, pair) in zip(result.stored, result.rebuilt).enumerated() {
      let (x, y) = (index % 150, index / 150)
      let color = CFAPattern.rggb.colors[2 * (y & 1) + (x & 1)]
      #expect(pair.1 >= pair.0)
      if pair.0 < 0.799 * Self.gains[color] { #expect(pair.1 == pair.0) }
    }
  }

  /// As light rises through every clip level in small steps, so does what comes out.
  @Test(arguments: [[1.0, 1, 1], [1, 0.5, 0.3], [0.4, 0.6, 1], [1, 0.2, 0.9]])
  func continuousThroughTheClipLevels(hue: [Double]) throws {
    let count = 600
    func light(_ x: Int) -> [Double] {
      let level = 0.2 + 5 * Double(x) / Double(count)
      return hue.map { $0 * level }
    }
    let result = try Self.mosaic(count, 48) { x, _ in light(x) }
    for x in 8..<(count - 10) {
      for y in 20..<22 {
        // Of the same filter colour; light changes by 0.017 of white over two columns.
        let change = result[x + 2, y] - result[x, y]
        #expect(abs(change) < 0.3)
        #expect(change > -0.06)
      }
    }
  }

  @Test func tilesDoNotMatter() throws {
    func light(_ x: Int, _ y: Int) -> [Double] {
      let level = 0.2 + Double((x * 7 + y * 3) % 97) / 40
      return [level, level * 0.8, level * 0.5]
    }
    let whole = try Self.mosaic(131, 90, light)
    for side in [2, 16, 33, 64] {
      let tiled = try Self.mosaic(131, 90, tile: PixelSize(width: side, height: side + 1), light)
      #expect(tiled.rebuilt == whole.rebuilt)
    }
  }

  /// A picture without clipped samples is the same to the bit with recovery on and off, as long as no
  /// balanced value is over 1.
  @Test(arguments: [SampleLayout.mosaic(.grbg), .linear(planes: 3)])
  func withoutClippingNothingChanges(layout: SampleLayout) throws {
    let description = TestFrame.description(64, 48, layout: layout, color: TestFrame.nikon)
    let frame = try TestFrame.frame(description) { x, y in UInt16((x * 131 + y * 77) % 29000) }
    var off = DevelopAdjustments()
    off.isHighlightRecoveryEnabled = false
    #expect(try Development(frame, DevelopAdjustments()) == Development(frame, off))
  }

  /// Cells of a draft come back as photosites do.
  @Test func draftsComeBackToo() throws {
    let description = TestFrame.description(
      256,
      64,
      layout: .mosaic(.grbg),
      color: Self.camera,
      white: Self.white
    )
    func light(_ x: Int) -> Double { 0.2 + 1.3 * Double(x) / 128 }
    let frame = try TestFrame.frame(description) { x, y in
      let color = CFAPattern.grbg.colors[2 * (y & 1) + (x & 1)]
      return UInt16(min(light(x / 2) / Self.gains[color], 1) * Self.white)
    }
    var adjustments = DevelopAdjustments.linear
    adjustments.exposure = -2
    adjustments.isDraftModeEnabled = true
    adjustments.isHighlightRecoveryEnabled = true
    let recovered = try Development(frame, adjustments)
    for x in 0..<128 {
      let wanted = TransferFunction.sRGB.encode(light(x) / 4) * 65535
      for value in recovered.pixel(x, 16) { #expect(abs(Double(value) - wanted) < 500) }
    }
  }

  /// LinearRaw: the same arithmetic for pixels.
  @Test func linearRawComesBackToo() throws {
    let description = TestFrame.description(
      128,
      32,
      layout: .linear(planes: 3),
      color: Self.camera,
      white: Self.white
    )
    func light(_ x: Int) -> Double { 0.2 + 1.3 * Double(x) / 128 }
    let frame = try TestFrame.frame(description) { sample, _ in
      UInt16(min(light(sample / 3) / Self.gains[sample % 3], 1) * Self.white)
    }
    var adjustments = DevelopAdjustments.linear
    adjustments.exposure = -2
    adjustments.isHighlightRecoveryEnabled = true
    let recovered = try Development(frame, adjustments)
    for x in 0..<128 {
      let pixel = recovered.pixel(x, 16)
      let wanted = TransferFunction.sRGB.encode(light(x) / 4) * 65535
      for value in pixel { #expect(abs(Double(value) - wanted) < 500) }
    }
    for tile in [1, 7, 50] {
      let tiled = try Development(frame, adjustments, tileSize: PixelSize(width: tile, height: 9))
      #expect(tiled == recovered)
    }
  }
}
