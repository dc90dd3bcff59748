import DNGFormat
import Develop
import FileSystem
import Raster
import RawModel
import Recipe
import TestSupport
import Testing

/// Same bytes for 1, 2 and 7 lanes and tiles of 64, 256 and 500 pixels, on real pictures.
@Suite(.enabled(if: Corpus.isAvailable, Corpus.missingComment))
struct CorpusDeterminismTests {
  private static let configurations = [(1, 500), (2, 64), (7, 256), (2, 500)]

  private static func check(
    _ file: String,
    _ change: (inout DevelopAdjustments) -> Void
  ) throws {
    let frame = try DNGReader.read(
      try Corpus.bytes("\(file).dng"),
      scheduler: TileScheduler(laneCount: 2)
    )
    var adjustments = DevelopAdjustments()
    change(&adjustments)
    let expected = try Development(frame, adjustments, depths: [.eight], lanes: 1)
    for (lanes, side) in configurations {
      let result = try Development(
        frame,
        adjustments,
        depths: [.eight],
        lanes: lanes,
        tileSize: PixelSize(width: side, height: side)
      )
      #expect(result == expected, "\(lanes) lanes, tiles of \(side)")
    }
  }

  @Test(arguments: [
    "variants/d1339_grbg_14bit_ljpeg", "variants/d1339_rggb_orient6", "edge/blacklevel_4x4",
    "edge/activearea_masked", "edge/tff_odd_7x5", "edge/tff_1x1", "edge/defaultcrop_fraction",
    "photos/fusion_lossless",
  ])
  func defaults(file: String) throws {
    try Self.check(file) { _ in }
  }

  @Test(arguments: ["variants/d1339_bggr_14bit_ljpeg", "photos/fusion_lossless"])
  func scaledAndDraft(file: String) throws {
    try Self.check(file) { $0.scaleFactor = 0.3 }
    try Self.check(file) { $0.isDraftModeEnabled = true }
  }
}
