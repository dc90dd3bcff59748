internal import Digest
internal import FileSystem
internal import Glibc

/// A list of files with their SHA-256, in the form of BagIt's `manifest-sha256.txt` (RFC 8493, 2.1.3):
/// digest, two spaces, path below the base; line ends and percent signs of a path are percent-encoded.
enum Manifest {
  static func bytes(
    of files: [(path: FilePath, sha256: SHA256Digest)],
    base: FilePath
  ) -> [UInt8] {
    let lines = files.map { (path: $0.path.relative(to: base) ?? $0.path, sha256: $0.sha256) }
      .sorted { $0.path < $1.path }
    var bytes: [UInt8] = []
    for line in lines {
      bytes += Array("\(line.sha256.hex)  ".utf8) + encoded(line.path) + [0x0A]
    }
    return bytes
  }

  /// The deepest folder that all files lie in.
  static func base(of files: [(path: FilePath, sha256: SHA256Digest)]) -> FilePath {
    guard var common = files.first?.path.parent else { return "/" }
    for file in files {
      while file.path.relative(to: common) == nil { common = common.parent }
    }
    return common
  }

  /// Writes a manifest in the place of an older one, at once or not at all; no other file is replaced.
  static func write(_ bytes: [UInt8], to path: FilePath) throws(ProgramError) {
    try wrappingFiles { () throws(SystemError) in
      if let status = try path.statusIfExists(), status.size > 0 {
        let head = try FileDescriptor.open(path, .read).read(count: 66)
        guard head.count == 66, head.suffix(2).elementsEqual([0x20, 0x20]),
          SHA256Digest(hex: String(decoding: head.prefix(64), as: UTF8.self)) != nil
        else { throw SystemError(errorNumber: EEXIST, call: "open", path: path) }
      }
      let temporary = path.parent.appending(
        component: [0x2E] + (path.lastComponent?.bytes ?? []) + Array(".tmp".utf8)
      )
      try temporary.removeFileIfExists()
      let file = try FileDescriptor.open(
        temporary,
        .readWriteExclusively(permissions: 0o666 & ~SystemInformation.fileModeMask)
      )
      try file.write(bytes)
      try file.synchronize()
      try temporary.rename(replacing: path)
      try path.parent.synchronizeDirectory()
    }
  }

  private static func encoded(_ path: FilePath) -> [UInt8] {
    path.bytes.flatMap { byte -> [UInt8] in
      switch byte {
      case 0x0A: Array("%0A".utf8)
      case 0x0D: Array("%0D".utf8)
      case 0x25: Array("%25".utf8)
      default: [byte]
      }
    }
  }
}
