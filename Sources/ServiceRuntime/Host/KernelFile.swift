internal import FileSystem

/// Small files of /proc and /sys.
enum KernelFile {
  /// The text of a file, nil where there is none; these files have no size, so it is read until its end.
  static func read(_ path: String) -> String? {
    do {
      let file = try FileDescriptor.open(FilePath(path), .read)
      var bytes: [UInt8] = []
      while bytes.count < 1 << 20 {
        let part = try file.read(count: 1 << 16, at: Int64(bytes.count))
        if part.isEmpty { break }
        bytes += part
      }
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      return nil  // not there: no control group of that kind
    }
  }
}
