package import FileSystem

extension GlobPattern {
  /// The files and folders that match, in bytewise order, and what could not be read.
  ///
  /// `**` enters folders that are not hidden, and no links to folders, so that a loop of links ends.
  package func paths() -> (paths: [FilePath], problems: [SystemError]) {
    var search = GlobSearch()
    search.visit(base, rest)
    return (search.found.sorted(), search.problems)
  }
}

/// A search that is under way.
private struct GlobSearch {
  var found: Set<FilePath> = []
  var problems: [SystemError] = []

  mutating func visit(_ start: FilePath, _ parts: ArraySlice<GlobPattern.Part>) {
    // A stack of its own: the depth of folders is the user's.
    var stack = [(path: start, parts: parts)]
    while let (folder, parts) = stack.popLast() {
      guard let part = parts.first else { continue }
      let rest = parts.dropFirst()
      let entries: [DirectoryEntry]
      do throws(SystemError) {
        entries = try folder.directoryEntries()
      } catch {
        problems.append(error)
        continue
      }
      switch part {
      case .name(let pattern):
        for entry in entries where GlobPattern.matches(entry.name.bytes, pattern) {
          let path = join(folder, entry.name)
          if rest.isEmpty {
            found.insert(path)
          } else if isFolder(path, entry) {
            stack.append((path, rest))
          }
        }
      case .folders:
        // At its end it means everything below.
        if rest.isEmpty {
          for entry in entries where !entry.name.isHidden && entry.kind == .file {
            found.insert(join(folder, entry.name))
          }
        } else {
          stack.append((folder, rest))
        }
        for entry in entries where !entry.name.isHidden && entry.kind == .folder {
          stack.append((join(folder, entry.name), parts))
        }
      }
    }
  }

  private func join(_ folder: FilePath, _ name: FilePath) -> FilePath {
    folder == "." ? name : folder.appending(component: name.bytes)
  }

  private mutating func isFolder(_ path: FilePath, _ entry: DirectoryEntry) -> Bool {
    guard entry.kind == .symbolicLink else { return entry.kind == .folder }
    do throws(SystemError) {
      return try path.statusIfExists()?.kind == .folder
    } catch {
      problems.append(error)
      return false
    }
  }
}
