import ColorScience
import FileSystem
import TestSupport

/// A picture in linear light of Display P3, averaged over blocks of pixels.
struct ReferencePicture {
  var width: Int
  var height: Int
  /// Red, green and blue of each block.
  var pixels: [Vector3]

  /// A picture of the corpus's reference renderer (`hero6_lossless.linear`), which is averaged already.
  init(_ name: String) throws {
    let folder = try TemporaryDirectory()
    let output = folder.path("samples")
    let text = try OraclePython.run(
      "develop_reference.py",
      arguments: ["png", "\(Corpus.path("reference/\(name).png"))", "\(output)"]
    )
    let size = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    let samples = RawBytes.words(try output.readAll())
    width = size[0]
    height = size[1]
    pixels = (0..<(width * height)).map { Self.linear(samples, $0) }
  }

  /// A development, averaged as the corpus says: over 8x8 pixels, 4x4 for pictures under 1600 wide.
  init(averaging development: Development) {
    let block = development.width < 1600 ? 4 : 8
    self.init(
      width: development.width,
      height: development.height,
      block: block,
      pixels: (0..<(development.width * development.height)).map {
        Self.linear(development.sixteen, $0)
      }
    )
  }

  /// Averages further.
  func averaged(_ block: Int) -> ReferencePicture {
    ReferencePicture(width: width, height: height, block: block, pixels: pixels)
  }

  /// Averages pixels of linear light over blocks.
  init(width: Int, height: Int, block: Int, pixels source: [Vector3]) {
    self.width = width / block
    self.height = height / block
    pixels = []
    for top in 0..<self.height {
      for left in 0..<self.width {
        var sum = Vector3(0, 0, 0)
        for y in (top * block)..<((top + 1) * block) {
          for x in (left * block)..<((left + 1) * block) { sum += source[y * width + x] }
        }
        pixels.append(sum / Double(block * block))
      }
    }
  }

  private static let decoded: [Double] = (0...65535).map {
    TransferFunction.sRGB.decode(Double($0) / 65535)
  }

  private static func linear(_ samples: [UInt16], _ pixel: Int) -> Vector3 {
    Vector3(
      decoded[Int(samples[3 * pixel])],
      decoded[Int(samples[3 * pixel + 1])],
      decoded[Int(samples[3 * pixel + 2])]
    )
  }

  /// Mean and 99th percentile of CIEDE2000 within the border of one pixel.
  func difference(from other: ReferencePicture) -> (mean: Double, percentile99: Double) {
    func lab(_ color: Vector3) -> Lab {
      Lab(xyz: RGBSpace.displayP3.toXYZ * color, white: .d65)
    }
    var differences: [Double] = []
    for y in 1..<(min(height, other.height) - 1) {
      for x in 1..<(min(width, other.width) - 1) {
        let mine = lab(pixels[y * width + x])
        differences.append(mine.ciede2000(to: lab(other.pixels[y * other.width + x])))
      }
    }
    differences.sort()
    let mean = differences.reduce(0, +) / Double(differences.count)
    return (mean, differences[differences.count * 99 / 100])
  }
}

extension ReferencePicture {
  /// The mean of L*, a* and b*.
  var meanLab: Lab {
    var sum = Vector3(0, 0, 0)
    for color in pixels {
      let lab = Lab(xyz: RGBSpace.displayP3.toXYZ * color, white: .d65)
      sum += Vector3(lab.lightness, lab.a, lab.b)
    }
    sum /= Double(pixels.count)
    return Lab(lightness: sum.x, a: sum.y, b: sum.z)
  }
}
