import Discovery
import FileSystem
import TestSupport
import Testing

@Suite struct GlobPatternTests {
  @Test(arguments: [
    ("a.dng", "*.dng", true), ("a.DNG", "*.dng", false), (".a.dng", "*.dng", false),
    (".a.dng", ".*.dng", true), ("abc", "a?c", true), ("abbc", "a?c", false),
    ("img1", "img[0-9]", true), ("imgx", "img[0-9]", false), ("imgx", "img[!0-9]", true),
    ("a]", "a[]]", true), ("a[", "a[", true), ("a*", #"a\*"#, true), ("ab", #"a\*"#, false),
    ("", "*", true), ("aaab", "*a*b", true), ("aaac", "*a*b", false), ("x", "", false),
    ("a-b", "a[-x]b", true),
  ])
  func names(_ name: String, _ pattern: String, _ expected: Bool) {
    #expect(GlobPattern.matches(Array(name.utf8), Array(pattern.utf8)) == expected)
  }

  /// Stars that backtrack take a time linear in the name for each star, not exponential.
  @Test func manyStarsEnd() {
    let name = [UInt8](repeating: 0x61, count: 20_000)
    let pattern = Array(String(repeating: "*a", count: 200).utf8) + Array("b".utf8)
    #expect(!GlobPattern.matches(name, pattern))
  }

  @Test func bytesThatAreNoTextAreNames() {
    #expect(GlobPattern.matches([0xFF, 0x2E, 0x64], Array("?.d".utf8)))
    #expect(GlobPattern.matches([0xFF, 0x80], [0xFF, 0x2A]))
  }

  @Test(arguments: [
    ("shoot/**/*.dng", "shoot"), ("*.dng", "."), ("/a/b/*/c", "/a/b"), ("/*", "/"),
    ("a/b.dng", "a"), ("**", "."), (#"a\*/b*"#, "."),
  ])
  func theSearchBeginsAtTheFixedFolders(_ pattern: String, _ base: String) {
    #expect(GlobPattern(FilePath(pattern)).base == FilePath(base))
  }

  private func found(_ folder: TemporaryDirectory, _ pattern: String) -> [String] {
    GlobPattern(folder.path(pattern)).paths().paths
      .compactMap { $0.relative(to: folder.root)?.displayText }
  }

  @Test func files() throws {
    let folder = try TemporaryDirectory()
    for name in [
      "a.dng", "b.txt", "day1/c.dng", "day1/cam2/d.dng", "day2/e.dng", ".hidden/f.dng",
      "day2/.g.dng",
    ] {
      try folder.write([1], to: name)
    }
    try folder.path("day1/loop").createSymbolicLink(to: folder.root)
    #expect(found(folder, "*.dng") == ["a.dng"])
    #expect(
      found(folder, "**/*.dng") == ["a.dng", "day1/c.dng", "day1/cam2/d.dng", "day2/e.dng"]
    )
    #expect(found(folder, "day1/**") == ["day1/c.dng", "day1/cam2/d.dng"])
    #expect(found(folder, "day?/*.dng") == ["day1/c.dng", "day2/e.dng"])
    #expect(found(folder, "day*") == ["day1", "day2"])
    #expect(found(folder, "**/cam2/*") == ["day1/cam2/d.dng"])
    #expect(found(folder, ".hidden/*") == [".hidden/f.dng"])
    #expect(found(folder, "none*") == [])
    #expect(found(folder, "**/**/a.dng") == ["a.dng"])
  }
}
