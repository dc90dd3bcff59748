internal import FileSystem
internal import JobModel
internal import ServiceRuntime

/// The roots of a call: `--root shoot=/mnt/nas/shoot`.
enum RootOptions {
  /// The map of all `--root` options.
  static func map(_ arguments: ParsedArguments) throws(ProgramError) -> RootMap {
    var folders: [String: FilePath] = [:]
    for root in arguments.all(CommonOptions.root) {
      let bytes = Array(root.utf8)
      guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > 0,
        equals + 1 < bytes.count, !bytes[..<equals].contains(UInt8(ascii: "/"))
      else {
        throw .usage(
          .invalidValue(root, of: "--root", expected: "a name, = and a folder: shoot=/mnt/shoot")
        )
      }
      let name = String(decoding: bytes[..<equals], as: UTF8.self)
      let folder = FilePath(bytes: bytes[(equals + 1)...])
      folders[name] = try wrappingFiles { () throws(SystemError) in try folder.absolute() }
    }
    return RootMap(folders)
  }
}
