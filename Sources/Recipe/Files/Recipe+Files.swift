extension Recipe {
  /// Reads every file that the recipe names by its path.
  ///
  /// - Parameter read: Gives the bytes of a path, or at least one byte more than the limit if there are more.
  /// - Throws: What `read` throws, or `file` for a file that is too large or not what it should be.
  package mutating func attachFiles<Failure: Error>(
    read: (_ path: String, _ byteLimit: Int) throws(Failure) -> [UInt8]
  ) throws(RecipeFilesError<Failure>) {
    try Self.attach(&develop.profile, .profile, read: read)
    try Self.attach(&develop.lut, .lut, read: read)
    for index in rules.indices {
      try Self.attach(&rules[index].develop.profile, .profile, read: read)
      try Self.attach(&rules[index].develop.lut, .lut, read: read)
    }
  }

  private static func attach<Failure: Error>(
    _ file: inout RecipeFile?,
    _ role: RecipeFile.Role,
    read: (String, Int) throws(Failure) -> [UInt8]
  ) throws(RecipeFilesError<Failure>) {
    guard let path = file?.name, file?.contents == nil else { return }
    let contents: [UInt8]
    do throws(Failure) {
      contents = try read(path, role.byteLimit)
    } catch {
      throw .reading(error)
    }
    do throws(RecipeError) {
      try check(contents, role, path: path)
    } catch {
      throw .recipe(error)
    }
    let name = path.split(separator: "/", omittingEmptySubsequences: true).last.map(String.init)
    file = RecipeFile(name: name ?? path, contents: contents)
  }

  private static func check(
    _ contents: [UInt8],
    _ role: RecipeFile.Role,
    path: String
  ) throws(RecipeError) {
    guard contents.count <= role.byteLimit else {
      throw .file(path: path, line: nil, reason: "has more than \(role.byteLimit) bytes")
    }
    switch role {
    case .profile:
      let isProfile =
        contents.starts(with: "IIRC".utf8) || contents.starts(with: "MMCR".utf8)
      guard isProfile else {
        throw .file(
          path: path,
          line: nil,
          reason: "is no DNG camera profile: it does not begin with IIRC or MMCR"
        )
      }
    case .lut:
      do throws(CubeTableError) {
        _ = try CubeTable(contents)
      } catch {
        throw .file(path: path, line: error.line, reason: error.reason)
      }
    }
  }
}

/// Why a recipe's files could not be attached.
package enum RecipeFilesError<Failure: Error>: Error {
  case reading(Failure)
  case recipe(RecipeError)
}
