package import FileSystem

/// The folders that root names stand for on this host.
///
/// A value without I/O: whether a folder is there is for those who open files.
package struct RootMap: Equatable, Sendable {
  /// Absolute, normalised folders by root name; without the host root, which is always `/`.
  package let folders: [String: FilePath]

  /// Takes absolute folders.
  package init(_ folders: [String: FilePath] = [:]) {
    self.folders = folders.mapValues(\.lexicallyNormalized)
      .filter { $0.key != FileLocation.hostRoot }
  }

  /// The root and relative path of an absolute path: the deepest root that it lies in, or the host
  /// root.
  package func location(of path: FilePath) -> FileLocation {
    let path = path.lexicallyNormalized
    var best: (name: String, folder: FilePath, relative: FilePath)?
    for (name, folder) in folders.sorted(by: { $0.key < $1.key }) {
      guard let relative = path.relative(to: folder) else { continue }
      if let best, best.folder.components.count >= folder.components.count { continue }
      best = (name, folder, relative)
    }
    if let best { return FileLocation(root: best.name, path: best.relative) }
    return FileLocation(
      root: FileLocation.hostRoot,
      path: FilePath(bytes: path.bytes.drop { $0 == 0x2F })
    )
  }

  /// Every location that names an absolute path: under each root that it lies in, and the host root.
  package func locations(of path: FilePath) -> [FileLocation] {
    let path = path.lexicallyNormalized
    var locations = folders.sorted { $0.key < $1.key }.compactMap { name, folder in
      path.relative(to: folder).map { FileLocation(root: name, path: $0) }
    }
    locations.append(
      FileLocation(
        root: FileLocation.hostRoot,
        path: FilePath(bytes: path.bytes.drop { $0 == 0x2F })
      )
    )
    return locations
  }

  /// The roots whose folders lie in an absolute folder: everything under them does.
  package func locations(inside folder: FilePath) -> [FileLocation] {
    let folder = folder.lexicallyNormalized
    return folders.sorted { $0.key < $1.key }
      .filter { $0.value != folder && $0.value.relative(to: folder) != nil }
      .map { FileLocation(root: $0.key, path: FilePath(bytes: [])) }
  }

  /// The names of all roots, the host root included.
  package var names: Set<String> { Set(folders.keys).union([FileLocation.hostRoot]) }

  /// The folder of a root; nil for a name that this host does not know.
  package func folder(of root: String) -> FilePath? {
    root == FileLocation.hostRoot ? "/" : folders[root]
  }

  /// The absolute path of a location; nil for an unknown root and for a path that leaves its root.
  package func path(of location: FileLocation) -> FilePath? {
    guard let folder = folder(of: location.root), !location.path.isAbsolute,
      !location.path.components.contains(where: { $0.elementsEqual([0x2E, 0x2E]) })
    else { return nil }
    return folder.appending(location.path)
  }
}
