/// The number of an IFD entry.
///
/// The static members carry the specifications' names (TIFF 6.0, TIFF/EP, Exif, DNG) in Swift
/// spelling; the numbers of the GPS IFD are its own and overlap with no other number in use.
package struct TIFFTag: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static func < (left: TIFFTag, right: TIFFTag) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension TIFFTag: CustomStringConvertible {
  /// The specification's name and the number, or the number alone.
  package var description: String {
    guard let name = Self.names[self] else { return "tag \(rawValue)" }
    return "\(name) (\(rawValue))"
  }
}
