import ColorScience
import DNGFormat
import Develop
import FileSystem
import Raster
import RawModel
import Recipe
import TestSupport
import Testing

/// The linear recipe against the corpus's reference renderer.
@Suite(
  .enabled(if: Corpus.isAvailable, Corpus.missingComment),
  .enabled(if: OraclePython.isAvailable, OraclePython.missingComment)
)
struct ReferenceColorTests {
  private static let mosaics = [
    "photos/hero6_lossless", "photos/hero8_lossless", "photos/kissx4_lossless",
    "photos/kissx4_colorchart", "edge/baseline_exposure_p1.5", "variants/d1339_rggb_14bit_ljpeg",
    "edge/analogbalance",
    "edge/asshotwhitexy", "edge/blacklevel_4x4", "edge/defaultcrop_fraction",
    "edge/tff_linearization_table", "edge/no_asshotneutral",
  ]

  private static func reference(_ file: String) throws -> ReferencePicture {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return try ReferencePicture("\(name).linear")
  }

  private static func frame(_ file: String) throws -> RawFrame {
    try DNGReader.read(try Corpus.bytes("\(file).dng"), scheduler: TileScheduler(laneCount: 1))
  }

  /// The reference renderer demosaics bilinearly, as a linear recipe does here: every stage is compared.
  @Test(arguments: mosaics)
  func colourArithmetic(file: String) throws {
    let result = try Development(
      try Self.frame(file),
      .measuring,
      depths: [.sixteen],
      lanes: 2
    )
    let difference = ReferencePicture(averaging: result).difference(from: try Self.reference(file))
    #expect(difference.mean < 0.05 && difference.percentile99 < 0.7)
  }

  /// The fused bilinear kernel beside a naive one in double precision.
  @Test(arguments: ["variants/d1339_bggr_14bit_ljpeg", "edge/blacklevel_4x4"])
  func bilinearAgreesWithItsTwin(file: String) throws {
    let frame = try Self.frame(file)
    guard case .mosaic(let pattern) = frame.description.layout else {
      Issue.record("\(file) is not a mosaic")
      return
    }
    let naive = try Development(
      try BilinearTwin.linearRaw(frame, pattern: pattern),
      .linear,
      depths: [.sixteen]
    )
    let fused = try Development(frame, .measuring, depths: [.sixteen])
    let difference = ReferencePicture(averaging: fused).difference(
      from: ReferencePicture(averaging: naive)
    )
    #expect(difference.mean < 0.02 && difference.percentile99 < 0.1)
  }

  /// With its warp, which takes lateral colour fringes away: without it the mean is 0.44, the 99th
  /// percentile 4.2.
  @Test func warpedPicture() throws {
    let file = "photos/fusion_lossless"
    let result = try Development(try Self.frame(file), .measuring, depths: [.sixteen], lanes: 2)
    let difference = ReferencePicture(averaging: result).difference(from: try Self.reference(file))
    #expect(difference.mean < 0.2 && difference.percentile99 < 1)
  }

  @Test func linearRaw() throws {
    let file = "photos/kissx4_linear"
    let result = try Development(try Self.frame(file), .linear, depths: [.sixteen])
    let difference = ReferencePicture(averaging: result).difference(from: try Self.reference(file))
    #expect(difference.mean < 0.02 && difference.percentile99 < 0.1)
  }

  /// The linear picture by Menon's method.
  ///
  /// Menon's method and a bilinear one disagree at edges by more than an average over 8x8 pixels hides
  /// (mean 0.41 to 0.73, 99th percentile 1.6 to 3.1 there); averages over 8 times as many pixels each
  /// way compare the colour of areas.
  @Test(arguments: mosaics)
  func areasHaveTheRightColour(file: String) throws {
    let result = try Development(try Self.frame(file), .linear, depths: [.sixteen], lanes: 2)
    let picture = ReferencePicture(averaging: result)
    let reference = try Self.reference(file)
    let areas = picture.averaged(8).difference(from: reference.averaged(8))
    #expect(areas.mean < 0.2 && areas.percentile99 < 1)
    // What the two demosaics differ by, measured; more would be another fault.
    let near = picture.difference(from: reference)
    #expect(near.mean < 0.8 && near.percentile99 < 3.5)
  }

  /// The default look is the project's own, but it must lie in the family: as light, without a cast.
  @Test(arguments: mosaics + ["photos/kissx4_linear"])
  func defaultLookIsPlausible(file: String) throws {
    let result = try Development(
      try Self.frame(file),
      DevelopAdjustments(),
      depths: [.sixteen],
      lanes: 2
    )
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let picture = ReferencePicture(averaging: result)
    let standard = try ReferencePicture("\(name).default")
    #expect(picture.difference(from: standard).mean < 6)
    // A picture that is clipped on a large part has another mean wherever curves end otherwise.
    guard file != "edge/baseline_exposure_p1.5" else { return }
    let mine = picture.meanLab
    let reference = standard.meanLab
    #expect(abs(mine.lightness - reference.lightness) < 4)
    #expect(abs(mine.a - reference.a) < 4 && abs(mine.b - reference.b) < 4)
  }
}
