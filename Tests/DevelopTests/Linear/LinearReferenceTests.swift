import ColorScience
import DNGFormat
import Develop
import FileSystem
import Raster
import RawModel
import TestSupport
import Testing

/// Scenes in linear Display P3 against the corpus's reference renderer.
@Suite(
  .enabled(if: Corpus.isAvailable, Corpus.missingComment),
  .enabled(if: OraclePython.isAvailable, OraclePython.missingComment)
)
struct LinearReferenceTests {
  private static let files = [
    "photos/hero6_lossless", "photos/kissx4_colorchart", "photos/kissx4_linear",
    "variants/d1339_rggb_14bit_ljpeg", "edge/analogbalance", "edge/asshotwhitexy",
    "edge/blacklevel_4x4", "edge/defaultcrop_fraction", "edge/tff_linearization_table",
    "edge/no_asshotneutral",
  ]

  /// The reference clips at the neutral and at Display P3; a scene is not clipped.
  ///
  /// Blocks with a pixel above
  /// the neutral are left out, and the others clipped as the reference is.
  @Test(arguments: files)
  func scenesHaveTheReferencesColours(file: String) throws {
    let frame = try DNGReader.read(
      try Corpus.bytes("\(file).dng"),
      scheduler: TileScheduler(laneCount: 2)
    )
    let scene = try LinearValues(frame, .scene(.rgb(.displayP3)), rowCount: 256, lanes: 2)
    let balanced = try LinearValues(
      frame,
      .samples(isBalanced: true, .demosaiced),
      rowCount: 256,
      lanes: 2
    )
    let size = scene.size
    let block = size.width < 1600 ? 4 : 8
    func picture(_ pixel: (Int) -> Vector3) -> ReferencePicture {
      ReferencePicture(
        width: size.width,
        height: size.height,
        block: block,
        pixels: (0..<size.width * size.height).map(pixel)
      )
    }
    let mine = picture { index in
      func clipped(_ channel: Int) -> Double {
        Double(min(max(scene.samples[3 * index + channel], 0), 1))
      }
      return Vector3(clipped(0), clipped(1), clipped(2))
    }
    let saturation = picture { index in
      let isAbove = (0..<3).contains { balanced.samples[3 * index + $0] > 1 }
      return Vector3(repeating: isAbove ? 1 : 0)
    }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let reference = try ReferencePicture("\(name).linear")
    func lab(_ color: Vector3) -> Lab { Lab(xyz: RGBSpace.displayP3.toXYZ * color, white: .d65) }
    var differences: [Double] = []
    for y in 1..<min(mine.height, reference.height) - 1 {
      for x in 1..<min(mine.width, reference.width) - 1 {
        let index = y * mine.width + x
        guard saturation.pixels[index].x == 0 else { continue }
        let theirs = lab(reference.pixels[y * reference.width + x])
        differences.append(lab(mine.pixels[index]).ciede2000(to: theirs))
      }
    }
    differences.sort()
    try #require(differences.count > mine.pixels.count / 3)
    let mean = differences.reduce(0, +) / Double(differences.count)
    let percentile99 = differences[differences.count * 99 / 100]
    #expect(mean < 0.05 && percentile99 < 0.7, "\(mean), \(percentile99)")
  }
}
