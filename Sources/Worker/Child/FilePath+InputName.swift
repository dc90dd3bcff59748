internal import FileSystem

extension FilePath {
  /// The name of the file without its folder, as text that a file's tag can hold.
  var nameForFiles: String {
    let name = lastComponent ?? self
    return name.exactText ?? name.displayText
  }
}
