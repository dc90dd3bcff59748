import Digest
import FileSystem
import Glibc
import TestSupport
import Testing
import Worker

/// Replacing and restoring files, step by step and after ends in the middle.
@Suite struct ReplacementTests {
  private let folder: TemporaryDirectory
  private let old: [UInt8] = Array("the original".utf8)
  private let new: [UInt8] = Array("smaller".utf8)
  private let original: FilePath
  private let temporary: FilePath
  private let kept: FilePath

  init() throws {
    folder = try TemporaryDirectory()
    original = try folder.write(old, to: "in/a.dng")
    temporary = try folder.write(new, to: "in/.a.dng.7.1.tmp")
    kept = folder.path("kept/day/a.dng")
  }

  private func expected() throws -> Replacement.Expected {
    let status = try original.status()
    return Replacement.Expected(
      size: status.size,
      mtimeNanoseconds: status.mtimeNanoseconds,
      inode: status.inode,
      sha256: SHA256.digest(of: old)
    )
  }

  private func replacement(
    keeping kept: FilePath?,
    expected: Replacement.Expected? = nil
  ) throws -> Replacement {
    Replacement(
      original: original,
      temporary: temporary,
      kept: kept,
      expected: try expected ?? self.expected(),
      job: "7",
      attempt: 1
    )
  }

  private func restoration() -> Restoration {
    Restoration(
      original: original,
      kept: kept,
      originalSHA256: SHA256.digest(of: old),
      replacementSHA256: SHA256.digest(of: new),
      job: "7"
    )
  }

  @Test func theOriginalIsKeptByASecondName() throws {
    let inode = try original.status().inode
    try replacement(keeping: kept).commit { true }
    #expect(try original.readAll() == new)
    #expect(try kept.readAll() == old)
    #expect(try kept.status().inode == inode)
    #expect(try temporary.statusIfExists() == nil)
  }

  @Test func withoutAPlaceTheOriginalIsGone() throws {
    try replacement(keeping: nil).commit { true }
    #expect(try original.readAll() == new)
    #expect(try folder.root.directoryEntries().map(\.name) == ["in"])
  }

  @Test func aRightThatIsLostLeavesEverything() throws {
    #expect(throws: WorkerError.interrupted) {
      try replacement(keeping: kept).commit { false }
    }
    #expect(try original.readAll() == old)
    #expect(try kept.statusIfExists() == nil)
    #expect(try original.status().linkCount == 1)
  }

  @Test(arguments: ["content", "size", "time", "link", "gone"])
  func anOriginalThatChangedStays(how: String) throws {
    var expected = try expected()
    switch how {
    case "content": try folder.write(Array("THE ORIGINAL".utf8), to: "in/a.dng")
    case "size": expected.size += 1
    case "time": expected.mtimeNanoseconds += 1
    case "link":
      try original.removeFile()
      try original.createSymbolicLink(to: temporary)
    default: try original.removeFile()
    }
    if how == "content" {
      // The same size and time, as some tools leave it.
      expected.mtimeNanoseconds = try original.status().mtimeNanoseconds
      expected.inode = try original.status().inode
    }
    #expect(throws: WorkerError.self) {
      try replacement(keeping: kept, expected: expected).commit { true }
    }
    #expect(try kept.statusIfExists() == nil)
    #expect(try temporary.readAll() == new)
  }

  @Test func anotherFileUnderTheKeptNameStays() throws {
    try folder.write(Array("something el".utf8), to: "kept/day/a.dng")
    #expect(throws: WorkerError.outputExists(kept)) {
      try replacement(keeping: kept).commit { true }
    }
    #expect(try kept.readAll() == Array("something el".utf8))
    #expect(try original.readAll() == old)
  }

  @Test func whatAnEarlierAttemptKeptIsKept() throws {
    try kept.parent.createDirectories()
    try original.addName(kept)
    try replacement(keeping: kept).commit { true }
    #expect(try original.readAll() == new)
    #expect(try kept.readAll() == old)
  }

  @Test func aCopyOfAnEarlierAttemptIsKept() throws {
    try folder.write(old, to: "kept/day/a.dng")
    try replacement(keeping: kept).commit { true }
    #expect(try original.readAll() == new)
    #expect(try kept.readAll() == old)
  }

  /// Another file system, where there is one to write to.
  private func otherFileSystem() throws -> FilePath? {
    let path = FilePath("/dev/shm/rawmill-test-\(getpid())-\(original.hexText.suffix(24))")
    guard let here = try? folder.root.status(), let there = try? FilePath("/dev/shm").status(),
      here.device != there.device, (try? path.createDirectory(permissions: 0o700)) != nil
    else { return nil }
    return path
  }

  @Test func acrossFileSystemsTheOriginalIsCopiedAndComesBack() throws {
    guard let other = try otherFileSystem() else { return }
    defer { try? other.removeTree() }
    let kept = other.appending("day/a.dng")
    let mode = try original.status().permissions
    let time = try original.status().mtimeNanoseconds
    try replacement(keeping: kept).commit { true }
    #expect(try original.readAll() == new)
    #expect(try kept.readAll() == old)
    #expect(try kept.status().mtimeNanoseconds == time)
    #expect(try kept.status().permissions == mode)
    #expect(try other.appending("day").directoryEntries().count == 1)
    let restoration = Restoration(
      original: original,
      kept: kept,
      originalSHA256: SHA256.digest(of: old),
      replacementSHA256: SHA256.digest(of: new),
      job: "7"
    )
    #expect(try restoration.restore() == .restored)
    #expect(try original.readAll() == old)
    #expect(try original.status().mtimeNanoseconds == time)
    #expect(try kept.statusIfExists() == nil)
    #expect(try folder.path("in").directoryEntries().map(\.name) == ["a.dng"])
  }

  @Test func aRestorationPutsTheOriginalBackOnce() throws {
    let inode = try original.status().inode
    try replacement(keeping: kept).commit { true }
    #expect(try restoration().restore() == .restored)
    #expect(try original.readAll() == old)
    #expect(try original.status().inode == inode)
    #expect(try kept.statusIfExists() == nil)
    #expect(try restoration().restore() == .wasThere)
  }

  @Test func aRestorationRefusesWhatItDoesNotKnow() throws {
    try replacement(keeping: kept).commit { true }
    try folder.write(Array("edited".utf8), to: "in/a.dng")
    #expect(throws: WorkerError.self) { _ = try restoration().restore() }
    #expect(try original.readAll() == Array("edited".utf8))
    #expect(try kept.readAll() == old)
    // A file that is gone may come back.
    try original.removeFile()
    try folder.write(Array("damaged     ".utf8), to: "kept/day/a.dng")
    #expect(
      throws: WorkerError.originalNotKept(
        kept,
        detail: "its content is another than the original's"
      )
    ) {
      _ = try restoration().restore()
    }
    try folder.write(old, to: "kept/day/a.dng")
    #expect(try restoration().restore() == .restored)
    #expect(try original.readAll() == old)
  }

  @Test func aMissingOriginalIsNamed() throws {
    try replacement(keeping: nil).commit { true }
    #expect(throws: WorkerError.originalNotKept(kept, detail: "it is missing")) {
      _ = try restoration().restore()
    }
    #expect(try original.readAll() == new)
  }

  /// Before its rename a replacement has two names for the original; restoring takes the second away.
  @Test func restoringAnUnfinishedReplacementTidiesUp() throws {
    try kept.parent.createDirectories()
    try original.addName(kept)
    #expect(try restoration().restore() == .wasThere)
    #expect(try kept.statusIfExists() == nil)
    #expect(try original.readAll() == old)
  }
}
