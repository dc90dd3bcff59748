import FileSystem
import Glibc
import ProcessControl
import TestSupport
import Testing

@Suite struct FileAttributeTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func open(_ path: FilePath) throws -> FileDescriptor {
    try FileDescriptor.open(path, .write)
  }

  @Test func modeAndTimesAreCopied() throws {
    let source = try folder.write([1, 2], to: "source")
    let target = try folder.write([3], to: "target")
    let times = [
      timespec(tv_sec: 1_000, tv_nsec: 5),
      timespec(tv_sec: 1_600_000_000, tv_nsec: 123_456_789),
    ]
    let wasSet =
      unsafe chmod(source.displayText, 0o640) == 0
      && utimensat(AT_FDCWD, source.displayText, times, 0) == 0
    #expect(wasSet)
    try open(target).copyAttributes(from: FileDescriptor.open(source, .read))
    let status = try target.status()
    #expect(status.permissions == 0o640)
    #expect(status.mtimeNanoseconds == 1_600_000_000_123_456_789)
    let original = try source.status()
    #expect(status.owner == original.owner && status.group == original.group)
  }

  @Test func extendedAttributesAreCopiedWhereThereAreAny() throws {
    let source = try folder.write([1], to: "source")
    let target = try folder.write([1], to: "target")
    let set = try? ProgramRun.run(
      "/usr/bin/python3",
      arguments: [
        "-c", "import os, sys; os.setxattr(sys.argv[1], 'user.note', b'a\\0b')", source.displayText,
      ]
    )
    guard set?.exit.isSuccess == true else { return }
    try open(target).copyAttributes(from: FileDescriptor.open(source, .read))
    let get = try ProgramRun.run(
      "/usr/bin/python3",
      arguments: [
        "-c", "import os, sys; print(os.getxattr(sys.argv[1], 'user.note'))", target.displayText,
      ]
    )
    #expect(get.outputText == "b'a\\x00b'\n")
  }

  @Test func contentIsCopied() throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let source = try folder.write(bytes, to: "source")
    let target = try folder.write(Array(repeating: 9, count: 5_000_000), to: "target")
    try open(target).copyContent(from: FileDescriptor.open(source, .read))
    #expect(try target.readAll() == bytes)
  }

  @Test func aSecondNameIsGivenOnce() throws {
    let path = try folder.write([1], to: "a")
    try path.addName(folder.path("b"))
    #expect(try folder.path("b").status().isSameFile(as: path.status()))
    #expect(throws: SystemError(errorNumber: EEXIST, call: "link", path: folder.path("b"))) {
      try path.addName(folder.path("b"))
    }
  }
}
