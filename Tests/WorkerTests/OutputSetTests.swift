import Digest
import FileSystem
import Glibc
import TestSupport
import Testing
import Worker

@Suite struct OutputSetTests {
  private let folder: TemporaryDirectory
  private let targets: [OutputTarget]

  init() throws {
    folder = try TemporaryDirectory()
    targets = [
      OutputTarget(id: "heic", path: folder.path("out/a.heic")),
      OutputTarget(id: "tiff", path: folder.path("out/a.tiff")),
    ]
  }

  /// A set whose files hold these bytes.
  private func written(
    _ contents: [[UInt8]],
    attempt: Int = 1
  ) throws -> (OutputSet, [WrittenOutput]) {
    let set = try OutputSet.create(targets: targets, job: "7", attempt: attempt)
    for (file, bytes) in zip(set.files, contents) {
      try file.descriptor.write(bytes)
    }
    return (set, try set.verify(byteCounts: contents.map { Int64($0.count) }))
  }

  private func known(_ written: [WrittenOutput]) -> [KnownOutput] {
    written.map { KnownOutput(path: $0.target.path, size: $0.size, sha256: $0.sha256) }
  }

  private func names() throws -> [String] {
    try folder.path("out").directoryEntries().map(\.name.displayText)
  }

  @Test func publishesAll() throws {
    let (set, outputs) = try written([[1], [2, 2]])
    #expect(try names() == [".a.heic.7.1.tmp", ".a.tiff.7.1.tmp"])
    #expect(outputs.map(\.size) == [1, 2])
    #expect(outputs[1].sha256 == SHA256.digest(of: [2, 2]))
    try set.publish(outputs, known: []) { true }
    #expect(try names() == ["a.heic", "a.tiff"])
    #expect(try targets[0].path.readAll() == [1])
    let mode = try targets[0].path.status().permissions
    #expect(mode == 0o666 & ~SystemInformation.fileModeMask)
  }

  @Test func unfinishedPicturesAreNobodyElses() throws {
    let set = try OutputSet.create(targets: targets, job: "7", attempt: 1)
    #expect(try folder.path("out/.a.heic.7.1.tmp").status().permissions == 0o600)
    withExtendedLifetime(set) {}
  }

  @Test func aSetThatEndsLeavesNothing() throws {
    do {
      _ = try written([[1], [2]])
    }
    #expect(try names() == [])
  }

  @Test func aSizeThatTheChildDidNotReportIsRefused() throws {
    let set = try OutputSet.create(targets: targets, job: "7", attempt: 1)
    try set.files[0].descriptor.write([1, 2])
    #expect(throws: WorkerError.self) { try set.verify(byteCounts: [3, 0]) }
    // An empty output is no picture, even if the child says so.
    #expect(throws: WorkerError.self) { try set.verify(byteCounts: [2, 0]) }
    #expect(throws: WorkerError.self) { try set.verify(byteCounts: [2]) }
  }

  @Test func aForeignFileStaysAndNothingIsPublished() throws {
    let foreign = try folder.write([9], to: "out/a.tiff")
    let (set, outputs) = try written([[1], [2]])
    // One of the same size that an intent does not name, and one whose digest nobody named.
    for known in [[], known(outputs)] {
      #expect(throws: WorkerError.outputExists(foreign)) {
        try set.publish(outputs, known: known) { true }
      }
    }
    #expect(try foreign.readAll() == [9])
    #expect(try folder.path("out/a.heic").statusIfExists() == nil)
  }

  @Test(arguments: ["link", "folder"]) func otherThingsInTheWayAreForeign(kind: String) throws {
    let (set, outputs) = try written([[1], [2]])
    if kind == "link" {
      try targets[1].path.createSymbolicLink(to: folder.path("nowhere"))
    } else {
      try targets[1].path.createDirectory()
    }
    #expect(throws: WorkerError.outputExists(targets[1].path)) {
      try set.publish(outputs, known: known(outputs)) { true }
    }
    #expect(try folder.path("out/a.heic").statusIfExists() == nil)
  }

  @Test func aFileThatAppearsLateWithdrawsTheOthers() throws {
    let (set, outputs) = try written([[1], [2]])
    var asked = 0
    #expect(throws: WorkerError.outputExists(targets[1].path)) {
      try set.publish(outputs, known: known(outputs)) {
        asked += 1
        // Between the first rename and the second.
        if asked == 2 { _ = try? folder.write([9], to: "out/a.tiff") }
        return true
      }
    }
    #expect(try targets[0].path.statusIfExists() == nil)
    #expect(try targets[1].path.readAll() == [9])
  }

  @Test func theBytesOfAnEarlierAttemptAreAdopted() throws {
    let (first, outputs) = try written([[1], [2]])
    try first.publish(outputs, known: known(outputs)) { true }
    let inode = try targets[0].path.status().inode
    let (second, same) = try written([[1], [2]], attempt: 2)
    try second.publish(same, known: known(outputs) + known(same)) { true }
    #expect(try targets[0].path.status().inode == inode)
    #expect(try names() == ["a.heic", "a.tiff"])
  }

  @Test func otherBytesOfAnEarlierAttemptAreReplaced() throws {
    let (first, old) = try written([[1], [2]])
    try first.publish(old, known: known(old)) { true }
    let (second, new) = try written([[3], [2]], attempt: 2)
    try second.publish(new, known: known(old) + known(new)) { true }
    #expect(try targets[0].path.readAll() == [3])
    #expect(try names() == ["a.heic", "a.tiff"])
  }

  @Test func withoutARightNothingIsRenamed() throws {
    let (set, outputs) = try written([[1], [2]])
    #expect(throws: WorkerError.interrupted) {
      try set.publish(outputs, known: known(outputs)) { false }
    }
    set.discard()
    #expect(try names() == [])
  }

  @Test func twoOutputsOfOneNameAreRefused() throws {
    let target = OutputTarget(id: "a", path: folder.path("x"))
    #expect(throws: WorkerError.outputTwice(target.path)) {
      _ = try OutputSet.create(
        targets: [target, OutputTarget(id: "b", path: target.path)],
        job: "1",
        attempt: 1
      )
    }
  }

  @Test func sweepsEarlierAttempts() throws {
    for attempt in 1...3 {
      try folder.write([1], to: "out/.a.heic.7.\(attempt).tmp")
    }
    try folder.write([1], to: "out/.a.heic.8.1.tmp")
    try TemporaryName.sweep(targets: targets, job: "7", attempts: 1..<3)
    #expect(try names() == [".a.heic.7.3.tmp", ".a.heic.8.1.tmp"])
  }

  @Test func longNamesGetShorterTemporaries() throws {
    let name = String(repeating: "x", count: 250)
    let heic = folder.path("\(name).heic")
    let first = TemporaryName.path(for: heic, job: "123", attempt: 1)
    let second = TemporaryName.path(for: folder.path("\(name).tiff"), job: "123", attempt: 1)
    #expect(first.lastComponent?.bytes.count == 255)
    #expect(first != second)
    #expect(TemporaryName.matches(first.lastComponent ?? ""))
    #expect(throws: WorkerError.self) {
      let path = folder.path(name + ".tooLong")
      _ = try OutputSet.create(targets: [OutputTarget(id: "a", path: path)], job: "1", attempt: 1)
    }
  }

  @Test func recognisesTemporaries() {
    #expect(TemporaryName.matches(".a.heic.12.1.tmp"))
    #expect(TemporaryName.matches(".a.develop-5.1.tmp"))
    for name: FilePath in ["a.heic.1.1.tmp", ".a.tmp", ".a.b.c.tmp", ".tmp", "a"] {
      #expect(!TemporaryName.matches(name))
    }
  }
}
