import Discovery
import FileSystem
import Glibc
import TestSupport
import Testing

@Suite struct FolderWalkTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func relative(_ walk: FolderWalk) -> [String] {
    walk.files.map(\.relativePath.displayText)
  }

  @Test func bytewiseOrderAndAnyName() throws {
    for name in ["b/2", "b/10", "a", "B", "b/c/d", "é"] { try folder.write([1], to: name) }
    let odd = folder.root.appending(component: [0xFF])
    _ = try FileDescriptor.open(odd, .readWriteExclusively(permissions: 0o600)).rawValue
    let walk = FolderWalk([folder.root])
    #expect(relative(walk) == ["B", "a", "b/10", "b/2", "b/c/d", "é", #"\xff"#])
    #expect(walk.problems.isEmpty)
    #expect(walk.files.allSatisfy { !$0.isNamed })
  }

  @Test func leavesOutHiddenAndSpecialFiles() throws {
    try folder.write([1], to: ".hidden/a")
    try folder.write([1], to: ".a.heic.1.1.tmp")
    try folder.write([1], to: "a")
    let made = unsafe mkfifo(folder.path("pipe").displayText, 0o600)
    #expect(made == 0)
    #expect(relative(FolderWalk([folder.root])) == ["a"])
    // Named itself, a hidden file is meant.
    let named = FolderWalk([folder.path(".hidden/a")])
    #expect(relative(named) == ["a"])
    #expect(named.files.first?.isNamed == true)
  }

  @Test func loopsOfLinksEnd() throws {
    try folder.write([1], to: "a/f")
    try folder.path("a/up").createSymbolicLink(to: folder.root)
    try folder.path("a/self").createSymbolicLink(to: "self")
    try folder.path("a/dangling").createSymbolicLink(to: "nowhere")
    let walk = FolderWalk([folder.root])
    #expect(relative(walk) == ["a/f"])
    #expect(walk.problems.isEmpty)
  }

  @Test func linkedFilesAndFoldersAreInputs() throws {
    let outside = try TemporaryDirectory()
    try outside.write([1], to: "x/f")
    try folder.path("file").createSymbolicLink(to: outside.path("x/f"))
    try folder.path("folder").createSymbolicLink(to: outside.path("x"))
    #expect(relative(FolderWalk([folder.root])) == ["file", "folder/f"])
  }

  @Test func theOutputFolderInsideAnInputIsNotScanned() throws {
    try folder.write([1], to: "in/a")
    try folder.write([1], to: "in/out/b")
    let input = folder.path("in")
    #expect(relative(FolderWalk([input], excluding: folder.path("in/out"))) == ["a"])
    // By another path.
    try folder.path("link").createSymbolicLink(to: folder.path("in/out"))
    #expect(relative(FolderWalk([input], excluding: folder.path("link"))) == ["a"])
    // As the input itself it is scanned.
    #expect(relative(FolderWalk([input], excluding: input)) == ["a", "out/b"])
    #expect(relative(FolderWalk([input], excluding: folder.path("absent"))) == ["a", "out/b"])
  }

  @Test func anInputIsTakenOnce() throws {
    let file = try folder.write([1], to: "a/f")
    let walk = FolderWalk([folder.root, folder.path("a"), file, folder.root])
    #expect(walk.files.map(\.path) == [file])
  }

  @Test func missingInputsAreReported() throws {
    let walk = FolderWalk([folder.path("missing")])
    #expect(walk.files.isEmpty)
    #expect(walk.problems.map(\.errorNumber) == [ENOENT])
  }

  @Test(.enabled(if: getuid() != 0, "root may read every folder"))
  func unreadableFoldersAreReported() throws {
    try folder.write([1], to: "closed/a")
    try folder.write([1], to: "open/b")
    #expect(unsafe chmod(folder.path("closed").displayText, 0) == 0)
    let walk = FolderWalk([folder.root])
    _ = unsafe chmod(folder.path("closed").displayText, 0o700)
    #expect(relative(walk) == ["open/b"])
    #expect(walk.problems.map(\.errorNumber) == [EACCES])
  }

  @Test func deepFoldersNeedNoDeepStack() throws {
    var path = folder.root
    for _ in 0..<1_000 { path = path.appending("d") }
    try path.createDirectories()
    #expect(FolderWalk([folder.root]).files.isEmpty)
  }
}
