package import Diagnostics
package import Raster

/// Why a raw could not be developed.
package enum DevelopError: Error, Equatable, Sendable {
  /// Memory for the picture or for scratch was refused.
  case raster(RasterError)
  /// A mosaic or three-plane raw without any colour matrix (ColorMatrix1, 50721).
  case colorMatrixMissing
  /// A colour matrix that cannot be used: singular, or with a value that is not finite.
  case colorMatrixUnusable(tag: String)
  /// A neutral (AsShotNeutral, AsShotWhiteXY) with a value that is zero, negative or not finite.
  case neutralUnusable(tag: String)
  /// White is not above black, or a level is not finite.
  case levelsUnusable(sample: Int, black: Double, white: Double)
  /// A geometry that does not fit: which one, and why.
  case geometryUnusable(tag: String, reason: String)
  /// An opcode that must be applied and is not supported yet.
  case opcodeUnsupported(list: Int, id: Int, name: String)
  /// A table or curve of a camera profile that makes no sense.
  case profileUnusable(tag: String, reason: String)
  /// A look (.cube) that cannot be read.
  case lookUnusable(name: String, line: Int?, reason: String)
  /// The place that a recipe calls neutral is outside the picture, clipped or too dark.
  case neutralLocationUnusable(x: Double, y: Double, reason: String)
  /// An opcode whose parameters make no sense for this raw.
  case opcodeUnusable(list: Int, name: String, reason: String)
  /// A sample layout that is not supported yet.
  case layoutUnsupported(planes: Int)
  /// A mosaic that is read to be stored anew, and not demosaiced.
  case filterArrayUnsupported(String)
  /// Planes of photosites are asked of a raw that is no mosaic.
  case mosaicMissing
  /// A setting outside its range, or not finite.
  case settingOutOfRange(name: String, value: Double, minimum: Double, maximum: Double)
}

extension DevelopError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .raster(let error): error.code
    case .colorMatrixMissing: "colorMatrixMissing"
    case .colorMatrixUnusable: "colorMatrixUnusable"
    case .neutralUnusable: "neutralUnusable"
    case .levelsUnusable: "levelsUnusable"
    case .geometryUnusable: "geometryUnusable"
    case .opcodeUnsupported: "opcodeUnsupported"
    case .profileUnusable: "profileUnusable"
    case .lookUnusable: "lookUnusable"
    case .neutralLocationUnusable: "neutralLocationUnusable"
    case .opcodeUnusable: "opcodeUnusable"
    case .layoutUnsupported: "layoutUnsupported"
    case .filterArrayUnsupported: "filterArrayUnsupported"
    case .mosaicMissing: "mosaicMissing"
    case .settingOutOfRange: "settingOutOfRange"
    }
  }

  package var message: String {
    switch self {
    case .raster(let error):
      error.message
    case .colorMatrixMissing:
      "the raw has no ColorMatrix1, so its colours have no meaning"
    case .colorMatrixUnusable(let tag):
      "\(tag) is singular or not finite"
    case .neutralUnusable(let tag):
      "\(tag) has a value that is zero, negative or not finite"
    case .levelsUnusable(let sample, let black, let white):
      "WhiteLevel \(white) of sample \(sample) is not above BlackLevel \(black)"
    case .geometryUnusable(let tag, let reason):
      "\(tag) \(reason)"
    case .opcodeUnsupported(let list, let id, let name):
      "OpcodeList\(list) needs opcode \(id) (\(name)), which is not supported yet"
    case .profileUnusable(let tag, let reason):
      "\(tag) \(reason)"
    case .lookUnusable(let name, let line, let reason):
      line.map { "\(name):\($0): \(reason)" } ?? "\(name): \(reason)"
    case .neutralLocationUnusable(let x, let y, let reason):
      "neutralLocation (\(x), \(y)) \(reason)"
    case .opcodeUnusable(let list, let name, let reason):
      "\(name) of OpcodeList\(list) \(reason)"
    case .layoutUnsupported(let planes):
      "LinearRaw with \(planes) samples a pixel is not supported yet (1 and 3 are)"
    case .filterArrayUnsupported(let pattern):
      "the colour filter array \(pattern) is not demosaiced"
    case .mosaicMissing:
      "the raw is no mosaic and so has no planes of photosites: leave mosaic: planes out"
    case .settingOutOfRange(let name, let value, let minimum, let maximum):
      "\(name) is \(value); it must lie between \(minimum) and \(maximum)"
    }
  }

  package var disposition: Disposition {
    switch self {
    case .raster(let error): error.disposition
    default: .permanent
    }
  }
}
