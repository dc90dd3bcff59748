internal import Raster
internal import RawModel

/// How samples of more than 16 bits, or of floating point, become levels.
///
/// Levels are integers of 16 bits, so that they can be counted exactly. A sample x of 1 to 16 bits is its
/// own level. Others are brought to `round(x * 65535 / white)` with the highest WhiteLevel of the raw's
/// samples: 0 for what is negative or not a number, 65535 for what lies above. Black and white levels
/// are brought to the same scale, so that every statistic says of levels what it says of codes.
struct LevelScale {
  /// The stored value that becomes level 65535; nil where stored codes are levels.
  private let white: Double?

  static let highestLevel = 65_535.0

  /// Stored codes are levels.
  static let identity = LevelScale(white: nil)

  private init(white: Double?) {
    self.white = white
  }

  /// - Throws: `levelsUnusable` for white levels that are not positive.
  init(whiteLevels: [Double], plane: SensorPlane) throws(StatisticsError) {
    guard let highest = whiteLevels.max(), highest > 0, highest.isFinite else {
      throw .levelsUnusable(plane: plane.rawValue, black: 0, white: whiteLevels.max() ?? 0)
    }
    white = highest
  }

  /// Levels for each stored unit: 1 where stored codes are levels.
  var levelsPerUnit: Double { white.map { Self.highestLevel / $0 } ?? 1 }

  /// A stored black or white level on the scale of levels, not rounded.
  func level(of value: Double) -> Double {
    white.map { value / $0 * Self.highestLevel } ?? value
  }

  /// The levels of a frame's samples.
  func levels<Sample: BinaryFloatingPoint & BitwiseCopyable & Sendable>(
    of samples: borrowing Plane<Sample>,
    scheduler: TileScheduler
  ) throws(StatisticsError) -> Plane<UInt16> {
    try levels(of: samples, scheduler: scheduler) { Double($0) }
  }

  /// The levels of a frame's samples.
  func levels(
    of samples: borrowing Plane<UInt32>,
    scheduler: TileScheduler
  ) throws(StatisticsError) -> Plane<UInt16> {
    try levels(of: samples, scheduler: scheduler) { Double($0) }
  }

  private func levels<Sample: BitwiseCopyable>(
    of samples: borrowing Plane<Sample>,
    scheduler: TileScheduler,
    _ value: (Sample) -> Double
  ) throws(StatisticsError) -> Plane<UInt16> {
    let white = white ?? Self.highestLevel
    var levels: Plane<UInt16>
    do throws(RasterError) {
      levels = try Plane(width: samples.width, height: samples.height)
    } catch {
      throw .raster(error)
    }
    let bandHeight = 64
    let bands = (samples.height + bandHeight - 1) / bandHeight
    let height = samples.height
    let width = samples.width
    let stride = samples.stride
    let levelStride = levels.stride
    unsafe samples.withUnsafeSamples { source in
      unsafe levels.withUnsafeMutableSamples { target in
        scheduler.forEach(
          count: bands,
          laneState: {},
          body: { band, _ in
            for y in band * bandHeight..<min((band + 1) * bandHeight, height) {
              // Bands are rows of their own: no two lanes write one.
              let input = unsafe source + y * stride
              let output = unsafe target + y * levelStride
              for x in 0..<width {
                let level = unsafe (value(input[x]) * Self.highestLevel / white).rounded()
                // Not a number compares false and becomes 0.
                let kept = level > 0 ? min(level, Self.highestLevel) : 0
                unsafe output[x] = UInt16(kept)
              }
            }
          }
        )
      }
    }
    return levels
  }
}
