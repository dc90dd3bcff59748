/// What the samples mean: the values of PhotometricInterpretation (262).
package struct DNGPhotometric: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  package static let rgb = DNGPhotometric(rawValue: 2)
  package static let yCbCr = DNGPhotometric(rawValue: 6)
  package static let colorFilterArray = DNGPhotometric(rawValue: 32_803)
  package static let linearRaw = DNGPhotometric(rawValue: 34_892)
  package static let depth = DNGPhotometric(rawValue: 51_177)
  package static let photometricMask = DNGPhotometric(rawValue: 52_527)

  /// The specifications' name, or nil for an unknown number.
  package var name: String? {
    switch rawValue {
    case 0: "WhiteIsZero"
    case 1: "BlackIsZero"
    case 2: "RGB"
    case 3: "RGB palette"
    case 4: "transparency mask"
    case 5: "CMYK"
    case 6: "YCbCr"
    case 8: "CIELab"
    case 32_803: "CFA"
    case 34_892: "LinearRaw"
    case 51_177: "depth"
    case 52_527: "photometric mask"
    default: nil
    }
  }
}

extension DNGPhotometric: CustomStringConvertible {
  package var description: String {
    guard let name else { return "photometric interpretation \(rawValue)" }
    return "\(name) (\(rawValue))"
  }
}
