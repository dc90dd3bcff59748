import ColorScience
import Develop
import Raster
import RawModel
import TestSupport
import Testing

@Suite struct NoiseReductionTests {
  private static let noise = NoiseModel(
    slope: Vector3(2e-3, 1e-3, 1.5e-3),
    offset: Vector3(4e-6, 1e-6, 2e-6)
  )

  /// Edges and a gradient with noise of the model.
  private static func picture(_ width: Int, _ height: Int, seed: UInt64) -> PlaneArrays {
    var generator = SeededGenerator(seed: seed)
    return PlaneArrays(width: width, height: height) { color, x, y in
      let shape = (x / 11 + y / 9) % 3
      let light = 0.03 + 0.2 * Double(shape) + 0.001 * Double(x) * [1, 0.8, 0.5][color]
      let deviation = (noise.slope[color] * light + noise.offset[color]).squareRoot()
      var sum = 0.0
      for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &generator) }
      return Float(light + (sum - 6) * deviation)
    }
  }

  @Test(arguments: [(0.4, 0.7), (1, 0), (0, 1)])
  func theKernelAgreesWithItsTwin(luminance: Double, color: Double) throws {
    let picture = Self.picture(53, 38, seed: 5)
    let response = try NoiseReducer.response(noise: Self.noise, pattern: nil)
    let twin = NoiseReductionTwin(
      luminance: luminance,
      color: color,
      noise: Self.noise,
      lumaVariances: response.luma.map(Double.init),
      chromaVariances: response.chroma.map(Double.init)
    )
    let kernel = PlaneArrays(
      try NoiseReducer.reduce(
        picture.planes(),
        luminance: luminance,
        color: color,
        noise: Self.noise,
        pattern: nil
      )
    )
    #expect(kernel.largestDifference(from: twin.reduce(picture)) < 2e-5)
  }

  @Test(arguments: [1, 7, 33, 64])
  func tilesDoNotMatter(side: Int) throws {
    let picture = Self.picture(90, 71, seed: 6)
    func reduce(_ size: PixelSize) throws -> PlaneArrays {
      PlaneArrays(
        try NoiseReducer.reduce(
          picture.planes(),
          luminance: 0.5,
          color: 0.5,
          noise: Self.noise,
          pattern: .rggb,
          tileSize: size
        )
      )
    }
    #expect(
      try reduce(PixelSize(width: side, height: side + 2))
        == reduce(PixelSize(width: 500, height: 500))
    )
  }

  /// Flat fields keep their mean and lose nearly all of their noise.
  @Test(arguments: [0.002, 0.02, 0.3])
  func flatFields(level: Double) throws {
    var generator = SeededGenerator(seed: 7)
    let picture = PlaneArrays(width: 200, height: 200) { color, _, _ in
      let deviation = (Self.noise.slope[color] * level + Self.noise.offset[color]).squareRoot()
      var sum = 0.0
      for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &generator) }
      return Float(level + (sum - 6) * deviation)
    }
    let reduced = PlaneArrays(
      try NoiseReducer.reduce(
        picture.planes(),
        luminance: 1,
        color: 1,
        noise: Self.noise,
        pattern: nil
      )
    )
    for color in 0..<3 {
      func statistics(_ values: [Float]) -> (mean: Double, deviation: Double) {
        let mean = values.reduce(0) { $0 + Double($1) } / Double(values.count)
        let square = values.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
        return (mean, (square / Double(values.count)).squareRoot())
      }
      let before = statistics(picture.colors[color])
      let after = statistics(reduced.colors[color])
      #expect(after.deviation < 0.15 * before.deviation)
      #expect(abs(after.mean - before.mean) < 0.05 * before.deviation)
    }
  }

  /// Demosaiced noise goes without leaving specks where it was large by chance: luma that is off by more than the
  /// noise's own deviation is rarer than 1 in 2,000 (it was 1 in 150).
  @Test func noSpecksAreLeft() throws {
    var generator = SeededGenerator(seed: 11)
    let side = 256
    let level = 0.1
    var mosaic = try Plane<Float>(width: side, height: side)
    for y in 0..<side {
      mosaic.withMutableRow(y) { row in
        for x in row.indices {
          let color = CFAPattern.rggb.colors[2 * (y & 1) + (x & 1)]
          var sum = 0.0
          for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &generator) }
          row[x] = Float(level + (sum - 6) * Self.noise.variance(level)[color].squareRoot())
        }
      }
    }
    let planes = try Demosaicer.menon(
      mosaic,
      pattern: .rggb,
      noise: Self.noise,
      scheduler: TileScheduler(laneCount: 1)
    )
    let reduced = PlaneArrays(
      try NoiseReducer.reduce(
        planes,
        luminance: 0.5,
        color: 0.5,
        noise: Self.noise,
        pattern: .rggb
      )
    )
    func luma(_ picture: PlaneArrays) -> [Double] {
      var values: [Double] = []
      for y in 32..<(side - 32) {
        for x in 32..<(side - 32) {
          let color = picture.colors.map { Double($0[y * side + x]) }
          values.append((color[0] + 2 * color[1] + color[2]) / 4 - level)
        }
      }
      return values
    }
    let noisy = luma(PlaneArrays(planes))
    let deviation = (noisy.reduce(0) { $0 + $1 * $1 } / Double(noisy.count)).squareRoot()
    let specks = luma(reduced).filter { abs($0) > deviation }.count
    #expect(specks < noisy.count / 2000, "\(specks) specks")
  }

  /// From the picture itself on, without a jump, ever further away from it.
  @Test(arguments: [true, false])
  func monotoneAndContinuousInTheAmount(isLuma: Bool) throws {
    let picture = Self.picture(80, 60, seed: 8)
    func reduced(_ amount: Double) throws -> PlaneArrays {
      PlaneArrays(
        try NoiseReducer.reduce(
          picture.planes(),
          luminance: isLuma ? amount : 0,
          color: isLuma ? 0 : amount,
          noise: Self.noise,
          pattern: nil
        )
      )
    }
    let amounts = [1e-5, 0.1, 0.2, 0.4, 0.7, 1]
    var last = 0.0
    for amount in amounts {
      let distance = try reduced(amount).distance(from: picture)
      #expect(distance >= last)
      last = distance
    }
    #expect(try reduced(1e-5).distance(from: picture) < 1e-3 * last)
    let step = try reduced(0.5).distance(from: try reduced(0.5001))
    #expect(step < 2e-3 * last)
  }

  /// Demosaiced noise is not white: what the response says of it is what is there.
  @Test func theResponseOfTheDemosaic() throws {
    let white = try NoiseReducer.response(noise: Self.noise, pattern: nil)
    // (1 + 4 + 1) / 16 of three independent channels, times what each scale keeps of white noise: the table
    // of J.-L. Starck & F. Murtagh, "Automatic Noise Estimation from the Multiresolution Support" (1998).
    for (variance, kept) in zip(white.luma, [0.8907, 0.2007, 0.0856]) {
      #expect(abs(Double(variance) / (0.375 * kept * kept) - 1) < 0.1)
    }
    // A mean over 16 pixels of the difference of two channels.
    for variance in white.chroma { #expect(abs(Double(variance) * 16 / 2 - 1) < 0.1) }
    let mosaic = try NoiseReducer.response(noise: Self.noise, pattern: .rggb)
    #expect(mosaic.luma[2] > 2 * white.luma[2])
    #expect(mosaic == (try NoiseReducer.response(noise: Self.noise, pattern: .rggb)))
  }
}
