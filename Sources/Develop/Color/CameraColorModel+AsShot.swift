internal import ColorScience
internal import RawModel

extension CameraColorModel {
  /// The white that the file names, or D55 where it names none.
  func asShotWhite(_ color: CameraColor) throws(DevelopError) -> Chromaticity {
    switch color.asShotWhite {
    case .neutral(let neutral):
      guard neutral.isFinite, neutral.min() > 0 else {
        throw .neutralUnusable(tag: "AsShotNeutral")
      }
      return try white(for: neutral / neutral.max())
    case .chromaticity(let white):
      guard white.isPlausible else { throw .neutralUnusable(tag: "AsShotWhiteXY") }
      return white
    case .unknown:
      return .d55
    }
  }
}
