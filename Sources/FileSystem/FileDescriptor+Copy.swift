internal import CLinux

extension FileDescriptor {
  /// Gives this file owner, group, extended attributes (access lists among them), mode and times of
  /// another, which must be the last change of it.
  ///
  /// - Throws: What can't be kept, by the call: `EPERM` from `fchown` where the owner is another and this
  ///   process is not root.
  package borrowing func copyAttributes(
    from source: borrowing FileDescriptor
  ) throws(SystemError) {
    var call: UnsafePointer<CChar>?
    let result = unsafe rawmill_copy_attributes(source.rawValue, rawValue, &call)
    // A string constant of the function.
    let name = unsafe call.map { unsafe String(cString: $0) } ?? "fstat"
    try check(result, name, path)
  }

  /// Makes this file's content that of another.
  package borrowing func copyContent(
    from source: borrowing FileDescriptor
  ) throws(SystemError) {
    try truncate(to: 0)
    var offset: Int64 = 0
    while true {
      let piece = try source.read(count: 1 << 20, at: offset)
      if piece.isEmpty { return }
      try write(piece, at: offset)
      offset += Int64(piece.count)
    }
  }
}
