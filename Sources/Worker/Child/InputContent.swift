package import JSON
internal import RawDecoding

/// What a file is by its content, as far as choosing inputs needs it.
package struct InputContent: Equatable, Sendable {
  /// Whether it is a camera raw of any kind.
  package let isRaw: Bool
  /// Whether something that is no raw was recognised (`TIFF`, `JPEG`).
  package let isKnown: Bool
  /// `DNG`, `Nikon NEF`, `JPEG`, `unknown`.
  package let name: String

  package init(isRaw: Bool, isKnown: Bool, name: String) {
    self.isRaw = isRaw
    self.isKnown = isKnown
    self.name = name
  }

  init(_ content: RawContent) {
    switch content {
    case .dng: self.init(isRaw: true, isKnown: true, name: "DNG")
    case .otherRaw(let name): self.init(isRaw: true, isKnown: true, name: name)
    case .tiff: self.init(isRaw: false, isKnown: true, name: "TIFF")
    case .jpeg: self.init(isRaw: false, isKnown: true, name: "JPEG")
    case .otherImage(let name): self.init(isRaw: false, isKnown: true, name: name)
    case .empty: self.init(isRaw: false, isKnown: false, name: "empty")
    case .unknown: self.init(isRaw: false, isKnown: false, name: "unknown")
    }
  }

  package var json: JSONValue {
    [
      "type": "content", "isRaw": JSONValue(isRaw), "isKnown": JSONValue(isKnown),
      "name": JSONValue(name),
    ]
  }

  package init(json: JSONValue) throws(JSONError) {
    self.init(
      isRaw: try json.requireBool("isRaw"),
      isKnown: try json.requireBool("isKnown"),
      name: try json.requireString("name")
    )
  }
}
