package import FileSystem

/// The programs that were built beside the tests.
package enum BuiltProduct {
  /// The `rawmill` program.
  package static var rawmill: FilePath { path("rawmill") }

  /// A program of the package by its name.
  ///
  /// The test runner is a toolchain program that loads the test bundle, so the bundle's folder is found
  /// through the mapped files of the process.
  package static func path(_ name: String) -> FilePath { folder.appending(FilePath(name)) }

  private static let folder: FilePath = {
    let fallback = PackageFolder.path(".build/release")
    guard let descriptor = try? FileDescriptor.open("/proc/self/maps", .read) else {
      return fallback
    }
    // A file of /proc has no size: read until its end, in pieces.
    var bytes: [UInt8] = []
    while let part = try? descriptor.read(count: 1 << 16, at: Int64(bytes.count)), !part.isEmpty {
      bytes += part
    }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let start = line.firstIndex(of: UInt8(ascii: "/")) else { continue }
      let path = FilePath(bytes: line[start...])
      if path.fileExtension == Array("xctest".utf8) { return path.parent }
    }
    return fallback
  }()
}
