import FileSystem
import JobModel
import Testing

@Suite struct RootMapTests {
  private let map = RootMap(["shoot": "/mnt/nas/shoot", "day": "/mnt/nas/shoot/day1/", "/": "/x"])

  @Test(
    arguments: [
      ("/mnt/nas/shoot/a.dng", "shoot", "a.dng"), ("/mnt/nas/shoot/day1/a.dng", "day", "a.dng"),
      ("/mnt/nas/shooting/a.dng", "/", "mnt/nas/shooting/a.dng"), ("/a//b/../c", "/", "a/c"),
      ("/mnt/nas/shoot", "shoot", ""),
    ] as [(FilePath, String, FilePath)]
  )
  func theDeepestRootHasThePath(path: FilePath, root: String, relative: FilePath) {
    let location = FileLocation(root: root, path: relative)
    #expect(map.location(of: path) == location)
    #expect(map.path(of: location)?.lexicallyNormalized == path.lexicallyNormalized)
  }

  @Test func unknownRootsAndEscapesHaveNoPath() {
    #expect(map.path(of: FileLocation(root: "other", path: "a")) == nil)
    #expect(map.path(of: FileLocation(root: "shoot", path: "../a")) == nil)
    #expect(map.path(of: FileLocation(root: "shoot", path: "a/../../b")) == nil)
    #expect(map.path(of: FileLocation(root: "shoot", path: "/etc/passwd")) == nil)
  }

  @Test func bytesSurvive() {
    let path = FilePath(bytes: Array("/mnt/nas/shoot/".utf8) + [0xFF])
    #expect(map.location(of: path).path.bytes == [0xFF])
  }
}
