package import Digest
package import FileSystem
internal import Glibc

/// A file that some attempt of this job said it would publish.
package struct KnownOutput: Equatable, Sendable {
  package let path: FilePath
  /// Bytes.
  package let size: Int64
  package let sha256: SHA256Digest

  package init(path: FilePath, size: Int64, sha256: SHA256Digest) {
    self.path = path
    self.size = size
    self.sha256 = sha256
  }
}

extension OutputSet {
  /// What stands in the way of an output.
  private enum Obstacle {
    case none
    /// The very bytes of this attempt, published by an earlier one.
    case sameBytes
    /// Other bytes that an earlier attempt of this job published.
    case ownBytes
  }

  /// Gives the outputs their names and flushes the folders.
  ///
  /// - Parameters:
  ///   - written: What `verify` returned.
  ///   - known: What attempts of this job have committed as intents, this one included; nothing where
  ///     no queue keeps them, so that every existing file is a stranger's.
  ///   - mayPublish: Asked before each rename; no is `interrupted`.
  /// - Throws: `outputExists` for a file of somebody else, which stays untouched; outputs that this call
  ///   had published are withdrawn then.
  package func publish(
    _ written: [WrittenOutput],
    known: [KnownOutput],
    mayPublish: () -> Bool
  ) throws(WorkerError) {
    // Look first: nothing is published where it is already clear that something can't be.
    for output in written {
      _ = try obstacle(to: output, known)
    }
    var published: [(item: Item, status: FileStatus)] = []
    do throws(WorkerError) {
      for (item, output) in zip(items, written) {
        guard mayPublish() else { throw .interrupted }
        let status = try item.file.descriptor.statusForWorker()
        if try publish(item, output, known) { published.append((item, status)) }
      }
      for folder in Set(items.map(\.target.path.parent)).sorted() {
        try folder.synchronizeForWorker()
      }
    } catch {
      if case .outputExists = error { withdraw(published) }
      throw error
    }
  }

  /// - Returns: Whether the file is new; not if it was there already.
  private func publish(
    _ item: Item,
    _ output: WrittenOutput,
    _ known: [KnownOutput]
  ) throws(WorkerError) -> Bool {
    // Twice: a file that is in the way may vanish before it is looked at.
    for _ in 0..<2 {
      do throws(SystemError) {
        try item.temporary.renameNoReplace(to: item.target.path)
        return true
      } catch {
        guard error.errorNumber == EEXIST else { throw .system(error) }
      }
      switch try obstacle(to: output, known) {
      case .none: continue
      case .sameBytes:
        discard(item)
        return false
      case .ownBytes:
        do throws(SystemError) {
          try item.temporary.rename(replacing: item.target.path)
        } catch {
          throw .system(error)
        }
        return false
      }
    }
    throw .outputExists(item.target.path)
  }

  private func obstacle(
    to output: WrittenOutput,
    _ known: [KnownOutput]
  ) throws(WorkerError) -> Obstacle {
    let path = output.target.path
    let own = known.filter { $0.path == path }
    do throws(SystemError) {
      guard let status = try path.statusIfExists(followingLinks: false) else { return .none }
      guard status.kind == .file, own.contains(where: { $0.size == status.size }) else {
        throw SystemError(errorNumber: EEXIST, call: "renameat2", path: path)
      }
      let file = OpenFile(try FileDescriptor.open(path, .read, followingLinks: false))
      let digest = try digestOrMissing(file)
      guard own.contains(where: { $0.sha256 == digest }) else {
        throw SystemError(errorNumber: EEXIST, call: "renameat2", path: path)
      }
      return digest == output.sha256 ? .sameBytes : .ownBytes
    } catch {
      switch error.errorNumber {
      case EEXIST: throw .outputExists(path)
      case ENOENT: return .none
      default: throw .system(error)
      }
    }
  }

  private func digestOrMissing(_ file: OpenFile) throws(SystemError) -> SHA256Digest {
    do throws(WorkerError) {
      return try OutputSet.digest(of: file.descriptor)
    } catch {
      if case .system(let error) = error { throw error }
      throw SystemError(errorNumber: EIO, call: "pread", path: file.descriptor.path)
    }
  }

  /// Takes back what this call published, unless it is another file by now.
  private func withdraw(_ published: [(item: Item, status: FileStatus)]) {
    for (item, status) in published {
      let path = item.target.path
      if let now = try? path.statusIfExists(followingLinks: false), now.isSameFile(as: status) {
        // A file that stays keeps its intent row: the next attempt adopts or replaces it.
        _ = try? path.removeFileIfExists()
      }
    }
  }

  private func discard(_ item: Item) {
    _ = try? item.temporary.removeFileIfExists()
  }
}

extension FilePath {
  fileprivate func synchronizeForWorker() throws(WorkerError) {
    do throws(SystemError) {
      try synchronizeDirectory()
    } catch {
      throw .system(error)
    }
  }
}
