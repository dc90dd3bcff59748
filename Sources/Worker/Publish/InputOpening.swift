package import FileSystem

/// Opening an input in the worker, which reads none of it.
package enum InputOpening {
  /// An open regular file.
  package static func open(_ path: FilePath) throws(WorkerError) -> OpenFile {
    let file: OpenFile
    do throws(SystemError) {
      file = OpenFile(try FileDescriptor.open(path, .read))
    } catch {
      throw .system(error)
    }
    guard try file.descriptor.statusForWorker().kind == .file else { throw .inputNotAFile(path) }
    return file
  }

  /// Checks that a file is what was submitted.
  ///
  /// - Throws: `inputChanged` for another size or modification time.
  package static func check(
    _ file: OpenFile,
    size: Int64,
    mtime: Int64
  ) throws(WorkerError) {
    let now = try file.descriptor.statusForWorker()
    let path = file.descriptor.path ?? "the input"
    guard now.size == size else {
      throw .inputChanged(path, detail: "it has \(now.size) bytes instead of \(size)")
    }
    guard now.mtimeNanoseconds == mtime else {
      throw .inputChanged(path, detail: "it was modified")
    }
  }
}
