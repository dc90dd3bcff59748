import FileSystem
import Glibc
import TestSupport
import Testing

@Suite struct FilesTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test func writesAndReadsAtOffsets() throws {
    let path = folder.path("a")
    let file = try FileDescriptor.open(path, .readWriteExclusively(permissions: 0o600))
    try file.write([1, 2, 3, 4])
    try file.write([9, 9], at: 1)
    try file.synchronize()
    #expect(try file.read(count: 100) == [1, 9, 9, 4])
    #expect(try file.read(count: 2, at: 3) == [4])
    #expect(try file.status().size == 4)
    #expect(try file.status().permissions == 0o600)
    try file.setPermissions(0o644)
    #expect(try path.status().permissions == 0o644)
    #expect(throws: SystemError(errorNumber: EFBIG, call: "read", path: path)) {
      try file.readAll(limit: 3)
    }
    try file.close()
    #expect(try path.readAll() == [1, 9, 9, 4])
  }

  @Test func exclusiveCreationRefusesAnExistingFile() throws {
    let path = try folder.write([], to: "a")
    #expect(throws: SystemError(errorNumber: EEXIST, call: "open", path: path)) {
      _ = try FileDescriptor.open(path, .readWriteExclusively(permissions: 0o600)).rawValue
    }
  }

  @Test func refusesPathsThatTheKernelWouldCutShort() {
    let path = FilePath(bytes: Array("/etc/passwd".utf8) + [0] + Array(".dng".utf8))
    #expect(throws: SystemError(errorNumber: EINVAL, call: "stat", path: path)) {
      try path.status()
    }
    #expect(throws: SystemError(errorNumber: EINVAL, call: "stat", path: "")) {
      try FilePath("").status()
    }
  }

  @Test func opensAPipeWithoutWaitingForAWriter() throws {
    let path = folder.path("pipe")
    let made = unsafe mkfifo(path.displayText, 0o600)
    #expect(made == 0)
    let pipe = try FileDescriptor.open(path, .read)
    #expect(try pipe.status().kind == .other)
  }

  @Test func listsBytewiseWithKindsAndAnyName() throws {
    try folder.write([], to: "b")
    try folder.write([], to: "a")
    try folder.path("c").createDirectory()
    try folder.path("d").createSymbolicLink(to: "nowhere")
    let odd = folder.root.appending(component: [0xFF, 0x0A])
    _ = try FileDescriptor.open(odd, .readWriteExclusively(permissions: 0o600)).rawValue
    let entries = try folder.root.directoryEntries()
    #expect(
      entries == [
        DirectoryEntry(name: "a", kind: .file), DirectoryEntry(name: "b", kind: .file),
        DirectoryEntry(name: "c", kind: .folder), DirectoryEntry(name: "d", kind: .symbolicLink),
        DirectoryEntry(name: FilePath(bytes: [0xFF, 0x0A]), kind: .file),
      ]
    )
    #expect(throws: SystemError.self) { try folder.path("a").directoryEntries() }
  }

  @Test func createsFoldersAbove() throws {
    let path = folder.path("x/y/z")
    try path.createDirectories()
    try path.createDirectories()
    try folder.path("x/a/b").createDirectories(isDurable: true)
    #expect(try folder.path("x/a/b").status().kind == .folder)
    #expect(try path.status().kind == .folder)
    let file = try folder.write([], to: "file")
    #expect(throws: SystemError.self) { try file.createDirectories() }
    #expect(throws: SystemError.self) { try file.appending("below").createDirectories() }
  }

  @Test(arguments: [false, true]) func renamesWithoutReplacing(usingLinks: Bool) throws {
    let from = try folder.write([1], to: "from")
    let target = folder.path("to")
    func move() throws(SystemError) {
      if usingLinks {
        try from.linkNoReplace(to: target)
      } else {
        try from.renameNoReplace(to: target)
      }
    }
    try move()
    #expect(try target.readAll() == [1])
    #expect(try from.statusIfExists() == nil)
    try folder.write([2], to: "from")
    #expect {
      try move()
    } throws: {
      ($0 as? SystemError)?.errorNumber == EEXIST
    }
    #expect(try target.readAll() == [1])
    #expect(try from.readAll() == [2])
  }

  @Test func aLostAnswerOfALinkCountsAsSuccess() throws {
    // What NFS leaves when it repeats a link request that had been carried out.
    let from = try folder.write([1], to: "from")
    let target = folder.path("to")
    let made = unsafe link(from.displayText, target.displayText)
    #expect(made == 0)
    try from.linkNoReplace(to: target)
    #expect(try from.statusIfExists() == nil)
    #expect(try target.status().linkCount == 1)
  }

  @Test func aDanglingLinkIsAnExistingTarget() throws {
    let from = try folder.write([1], to: "from")
    try folder.path("to").createSymbolicLink(to: "nowhere")
    #expect(throws: SystemError.self) { try from.renameNoReplace(to: folder.path("to")) }
    #expect(try from.statusIfExists() != nil)
  }

  @Test func locksExcludeOtherOpeners() throws {
    let path = try folder.write([], to: "lock")
    let first = try FileDescriptor.open(path, .readWriteCreating(permissions: 0o600))
    let second = try FileDescriptor.open(path, .readWriteCreating(permissions: 0o600))
    try first.lock()
    #expect(try second.tryLock() == false)
    try first.unlock()
    #expect(try second.tryLock())
  }

  @Test func removesTreesWithoutFollowingLinks() throws {
    let kept = try folder.write([7], to: "kept/file")
    try folder.write([], to: "tree/a/b")
    try folder.path("tree/link").createSymbolicLink(to: folder.path("kept"))
    try folder.path("tree").removeTree()
    #expect(try folder.path("tree").statusIfExists() == nil)
    #expect(try kept.readAll() == [7])
  }

  @Test func statusHasNanoseconds() throws {
    let path = try folder.write([1, 2], to: "a")
    var times = [timespec(tv_sec: 1_700_000_000, tv_nsec: 123_456_789), timespec()]
    times[1] = times[0]
    let set = unsafe utimensat(AT_FDCWD, path.displayText, times, 0)
    #expect(set == 0)
    let status = try path.status()
    #expect(status.mtimeNanoseconds == 1_700_000_000_123_456_789)
    #expect(status.kind == .file)
  }

  @Test func resolvesLinks() throws {
    try folder.write([], to: "real/file")
    try folder.path("link").createSymbolicLink(to: "real")
    #expect(try folder.path("link/file").resolved() == folder.path("real/file"))
    #expect(try FilePath("x").absolute() == FilePath.currentDirectory().appending("x"))
  }
}
