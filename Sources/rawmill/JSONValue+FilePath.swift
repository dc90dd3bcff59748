internal import FileSystem
internal import JSON

extension JSONValue {
  /// A path as text; bytes that are not UTF-8 are escaped as in messages.
  init(_ path: FilePath) {
    self = .string(path.exactText ?? path.displayText)
  }
}
