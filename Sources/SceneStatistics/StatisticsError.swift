package import Diagnostics
package import Raster

/// Why a raw has no statistics.
package enum StatisticsError: Error, Equatable, Sendable {
  /// A pixel has a number of samples that have no names.
  case layoutUnsupported(planes: Int)
  /// The area is empty or does not lie within the samples.
  case areaUnusable(tag: String)
  /// Black and white of a plane leave no range between them.
  case levelsUnusable(plane: String, black: Double, white: Double)
  case raster(RasterError)
}

extension StatisticsError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .layoutUnsupported: "statisticsLayoutUnsupported"
    case .areaUnusable: "statisticsAreaUnusable"
    case .levelsUnusable: "statisticsLevelsUnusable"
    case .raster(let error): error.code
    }
  }

  package var message: String {
    switch self {
    case .layoutUnsupported(let planes): "pixels of \(planes) samples have no statistics"
    case .areaUnusable(let tag): "\(tag) leaves no pixels to count"
    case .levelsUnusable(let plane, let black, let white):
      "the \(plane) plane's black level \(black) and white level \(white) leave no range"
    case .raster(let error): error.message
    }
  }

  package var disposition: Disposition {
    switch self {
    case .layoutUnsupported, .areaUnusable, .levelsUnusable: .permanent
    case .raster(let error): error.disposition
    }
  }
}
