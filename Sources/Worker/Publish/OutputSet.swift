internal import Digest
internal import FileSystem
internal import Glibc

/// The outputs of one attempt of one job, from empty temporaries to published files: all or nothing.
///
/// The order is fixed: `create`, the child writes, `verify`, the intents are committed, `publish`.
/// Whatever happens before the first rename leaves no trace but for a killed process, whose
/// temporaries the next attempt sweeps.
package final class OutputSet: Sendable {
  /// An output and its temporary.
  struct Item: Sendable {
    let target: OutputTarget
    let temporary: FilePath
    let file: OpenFile
  }

  let items: [Item]
  /// The bytes of a file that are read at a time to hash it.
  private static let hashPiece = 1 << 20

  private init(items: [Item]) {
    self.items = items
  }

  deinit {
    discard()
  }

  /// The temporaries, in the order of the outputs, to hand to a child.
  package var files: [OpenFile] { items.map(\.file) }

  /// Makes the target folders and an empty temporary for each output.
  ///
  /// `job` names the job within a temporary's name: digits, letters and `-`.
  package static func create(
    targets: [OutputTarget],
    job: String,
    attempt: Int
  ) throws(WorkerError) -> OutputSet {
    var seen: Set<FilePath> = []
    for target in targets where !seen.insert(target.path).inserted {
      throw .outputTwice(target.path)
    }
    var items: [Item] = []
    do throws(SystemError) {
      for target in targets {
        guard let name = target.path.lastComponent, name.bytes.count <= 255 else {
          throw SystemError(errorNumber: ENAMETOOLONG, call: "open", path: target.path)
        }
        try target.path.parent.createDirectories(isDurable: true)
        let temporary = TemporaryName.path(for: target.path, job: job, attempt: attempt)
        // A leftover of this very attempt can only be of a worker that is gone.
        try temporary.removeFileIfExists()
        // Nobody else reads a picture that is not finished.
        let file = try FileDescriptor.open(
          temporary,
          .readWriteExclusively(permissions: 0o600),
          followingLinks: false
        )
        items.append(Item(target: target, temporary: temporary, file: OpenFile(file)))
      }
    } catch {
      OutputSet(items: items).discard()
      throw .system(error)
    }
    return OutputSet(items: items)
  }

  /// Flushes the temporaries and reads them back; `byteCounts` is what the child says it wrote.
  ///
  /// - Throws: `outputUnverified` where a file has another size; the bytes themselves have no second
  ///   witness, so their digest is taken here, after the flush.
  package func verify(byteCounts: [Int64]) throws(WorkerError) -> [WrittenOutput] {
    guard byteCounts.count == items.count else {
      throw .reportInvalid(detail: "\(byteCounts.count) outputs instead of \(items.count)")
    }
    var written: [WrittenOutput] = []
    let permissions = 0o666 & ~SystemInformation.fileModeMask
    for (item, byteCount) in zip(items, byteCounts) {
      do throws(SystemError) {
        try item.file.descriptor.setPermissions(permissions)
        try item.file.descriptor.synchronize()
      } catch {
        throw .system(error)
      }
      let size = try item.file.descriptor.statusForWorker().size
      guard size == byteCount, size > 0 else {
        throw .outputUnverified(
          item.temporary,
          detail: "\(size) bytes instead of \(byteCount)"
        )
      }
      let sha256 = try OutputSet.digest(of: item.file.descriptor)
      written.append(WrittenOutput(target: item.target, size: size, sha256: sha256))
    }
    return written
  }

  /// Removes the temporaries that are left.
  package func discard() {
    for item in items {
      // What can't be removed now is swept by the next attempt; the failure that led here counts.
      _ = try? item.temporary.removeFileIfExists()
    }
  }

  /// The SHA-256 of an open file.
  static func digest(of file: borrowing FileDescriptor) throws(WorkerError) -> SHA256Digest {
    var hash = SHA256()
    var offset: Int64 = 0
    do throws(SystemError) {
      while true {
        let piece = try file.read(count: hashPiece, at: offset)
        if piece.isEmpty { break }
        hash.update(piece)
        offset += Int64(piece.count)
      }
    } catch {
      throw .system(error)
    }
    return hash.finalize()
  }
}
