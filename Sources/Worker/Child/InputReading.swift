package import FileSystem

/// Reading an input exactly once.
package enum InputReading {
  /// The bytes of an open regular file whose size and time are the same before and after.
  package static func read(
    _ file: borrowing FileDescriptor,
    limit: Int64
  ) throws(WorkerError) -> [UInt8] {
    let path = file.path ?? "the input"
    let before = try file.statusForWorker()
    guard before.kind == .file else { throw .inputNotAFile(path) }
    guard before.size <= limit else {
      throw .inputTooLarge(path, byteCount: before.size, limit: limit)
    }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try file.read(count: Int(before.size))
    } catch {
      throw .system(error)
    }
    guard bytes.count == before.size else {
      throw .inputChanged(path, detail: "it ends after \(bytes.count) of \(before.size) bytes")
    }
    let after = try file.statusForWorker()
    guard after.size == before.size, after.mtimeNanoseconds == before.mtimeNanoseconds else {
      throw .inputChanged(path, detail: "it was written while it was read")
    }
    return bytes
  }
}

extension FileDescriptor {
  /// The status, with a failure as an error of this module.
  borrowing func statusForWorker() throws(WorkerError) -> FileStatus {
    do throws(SystemError) {
      return try status()
    } catch {
      throw .system(error)
    }
  }
}
