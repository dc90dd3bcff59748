package import FileSystem

extension FilePath {
  /// The files in and below the folder, hidden ones included: their paths from it, for display, sorted.
  package func fileNamesBelow() throws -> [String] {
    var names: [String] = []
    var folders = [self]
    while let next = folders.popLast() {
      for entry in try next.directoryEntries() {
        let path = next.appending(component: entry.name.bytes)
        if entry.kind == .folder {
          folders.append(path)
        } else {
          names.append(path.relative(to: self)?.displayText ?? path.displayText)
        }
      }
    }
    return names.sorted()
  }
}
