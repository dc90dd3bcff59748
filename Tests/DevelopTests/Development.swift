import Develop
import Raster
import RawModel
import Recipe

/// A developed picture as arrays that tests compare: rows of red, green, blue.
struct Development: Equatable {
  var width: Int
  var height: Int
  var eight: [UInt8] = []
  var sixteen: [UInt16] = []

  init(
    _ frame: borrowing RawFrame,
    _ adjustments: DevelopAdjustments,
    depths: Set<PictureDepth> = [.eight, .sixteen],
    lanes: Int = 1,
    tileSize: PixelSize? = nil
  ) throws {
    let settings = try DevelopSettings(resolving: adjustments, for: frame.description)
    var picture = try Developer.develop(
      frame,
      settings: settings,
      depths: depths,
      scheduler: TileScheduler(laneCount: lanes),
      tileSize: tileSize
    )
    width = picture.size.width
    height = picture.size.height
    if let plane = picture.rgb8.take() {
      for y in 0..<plane.height {
        plane.withRow(y) { row in for x in row.indices { eight.append(row[x]) } }
      }
    }
    if let plane = picture.rgb16.take() {
      for y in 0..<plane.height {
        plane.withRow(y) { row in for x in row.indices { sixteen.append(row[x]) } }
      }
    }
  }

  /// The 16-bit codes of one pixel.
  func pixel(_ x: Int, _ y: Int) -> [Int] {
    (0..<3).map { Int(sixteen[3 * (y * width + x) + $0]) }
  }
}

extension DevelopAdjustments {
  /// What a recipe that measures says: `linear` without highlight recovery.
  static var measuring: DevelopAdjustments {
    var adjustments = DevelopAdjustments.linear
    adjustments.demosaic = nil
    adjustments.localToneMapAmount = 0
    return adjustments
  }

  /// Linear response: no baseline, black point, curve, gamut map or highlight recovery, but demosaiced as a
  /// picture is.
  static var linear: DevelopAdjustments {
    var adjustments = DevelopAdjustments()
    adjustments.baselineExposure = 0
    adjustments.shadowBias = 0
    adjustments.boostAmount = 0
    adjustments.isGamutMappingEnabled = false
    adjustments.isHighlightRecoveryEnabled = false
    adjustments.demosaic = .menon
    return adjustments
  }
}
