/// The colour of each photosite of a Bayer sensor, from the top-left corner of the active area.
package enum CFAPattern: String, CaseIterable, Sendable {
  case rggb
  case grbg
  case gbrg
  case bggr

  /// The filter colours of the 2x2 cell in row order: 0 red, 1 green, 2 blue.
  package var colors: [Int] {
    switch self {
    case .rggb: [0, 1, 1, 2]
    case .grbg: [1, 0, 2, 1]
    case .gbrg: [1, 2, 0, 1]
    case .bggr: [2, 1, 1, 0]
    }
  }

  /// The pattern whose 2x2 cell has these colours (CFAPattern, 33422, with CFAPlaneColor 0 1 2).
  package init?(colors: [Int]) {
    guard let match = Self.allCases.first(where: { $0.colors == colors }) else { return nil }
    self = match
  }
}
