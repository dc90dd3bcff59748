/// How samples were made smaller numbers before they were compressed: Predictor (317).
enum DNGPredictor: Equatable {
  case none
  /// Differences to the sample of the same plane `distance` pixels to the left.
  case horizontal(distance: Int)
  /// The bytes of a row's samples apart, highest first, then differences of bytes as above
  /// (Adobe Photoshop TIFF Technical Note 3).
  case floatingPoint(distance: Int)

  /// Nil for a value that DNG 1.7.1 doesn't list.
  init?(tag: Int) {
    switch tag {
    case 1: self = .none
    case 2: self = .horizontal(distance: 1)
    case 34_892: self = .horizontal(distance: 2)
    case 34_893: self = .horizontal(distance: 4)
    case 3: self = .floatingPoint(distance: 1)
    case 34_894: self = .floatingPoint(distance: 2)
    case 34_895: self = .floatingPoint(distance: 4)
    default: return nil
    }
  }
}
