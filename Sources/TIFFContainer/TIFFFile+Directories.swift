extension TIFFFile {
  /// All image IFDs: IFD 0 and the chain after it, each followed by its SubIFDs.
  ///
  /// An IFD that is reached twice is an error: following it again might never end.
  ///
  /// - Throws: as `directory(at:named:)`; `directoryLoop`, `tooManyDirectories`,
  ///   `directoriesTooDeep`, and the errors of the tag SubIFDs.
  package func imageDirectories() throws(TIFFReadError) -> [TIFFDirectory] {
    var found: [TIFFDirectory] = []
    var visited: Set<UInt64> = []
    var next = firstDirectoryOffset
    var index = 0
    repeat {
      // IFDs that wait, the next one last, each with its depth.
      var waiting = [(offset: next, name: "IFD \(index)", parent: "IFD \(index - 1)", depth: 0)]
      next = 0
      while let (offset, name, parent, depth) = waiting.popLast() {
        guard visited.insert(offset).inserted else {
          throw .directoryLoop(directory: parent, offset: offset)
        }
        guard found.count < limits.directories else {
          throw .tooManyDirectories(limit: limits.directories)
        }
        let directory = try directory(at: offset, named: name)
        found.append(directory)
        if depth == 0 { next = directory.nextOffset }
        let offsets =
          try directory.offsets(.subIFDs, count: 1...limits.directories) ?? []
        guard offsets.isEmpty || depth < limits.depth else {
          throw .directoriesTooDeep(directory: name, limit: limits.depth)
        }
        for (child, offset) in offsets.enumerated().reversed() {
          waiting.append((offset, "SubIFD \(child) of \(name)", name, depth + 1))
        }
      }
      index += 1
    } while next != 0
    return found
  }

  /// The IFD that `tag` of `directory` points to (Exif, GPS), or nil without that tag.
  ///
  /// - Throws: as `directory(at:named:)` and the errors of the tag.
  package func directory(
    _ tag: TIFFTag,
    of directory: TIFFDirectory,
    named name: String
  ) throws(TIFFReadError) -> TIFFDirectory? {
    guard let offset = try directory.offsets(tag, count: 1...1)?.first else { return nil }
    guard offset != directory.offset else {
      throw .directoryLoop(directory: directory.name, offset: offset)
    }
    return try self.directory(at: offset, named: name)
  }
}
