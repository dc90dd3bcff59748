internal import JSON

extension RecipeFile {
  /// The path, or an object of name and contents once the file is read.
  var json: JSONValue {
    guard let contents else { return .string(name) }
    return ["name": .string(name), "base64": .string(Base64.encode(contents))]
  }

  /// What `json` gave; nil for anything else.
  init?(json: JSONValue) {
    if let path = json.stringValue {
      self.init(name: path)
      return
    }
    guard let name = json["name"]?.stringValue, let text = json["base64"]?.stringValue,
      let contents = Base64.decode(text)
    else { return nil }
    self.init(name: name, contents: contents)
  }

  /// Whether a name is a path that can be opened and shown.
  static func isPath(_ name: String) -> Bool {
    (1...4096).contains(name.utf8.count)
      && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
