/// Which tag of which IFD an error is about.
package struct TIFFTagSite: Hashable, Sendable {
  package let tag: TIFFTag
  /// The IFD, in words (`IFD 0`, `SubIFD 1 of IFD 0`, `Exif IFD`).
  package let directory: String

  package init(tag: TIFFTag, directory: String) {
    self.tag = tag
    self.directory = directory
  }
}

extension TIFFTagSite: CustomStringConvertible {
  package var description: String { "\(tag) in \(directory)" }
}
