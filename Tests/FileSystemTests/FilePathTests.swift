import FileSystem
import Testing

@Suite struct FilePathTests {
  @Test(
    arguments: [
      ("/", "/", nil), ("/a", "/", "a"), ("/a/b", "/a", "b"), ("a", ".", "a"), ("a/", ".", "a"),
      ("a//b//", "a", "b"), ("", ".", nil), ("//a", "/", "a"), ("../x", "..", "x"),
    ] as [(FilePath, FilePath, FilePath?)]
  )
  func parentAndLastComponent(path: FilePath, parent: FilePath, last: FilePath?) {
    #expect(path.parent == parent)
    #expect(path.lastComponent == last)
  }

  @Test(
    arguments: [
      ("a.dng", "a", "dng"), ("a.b.c", "a.b", "c"), (".hidden", ".hidden", nil), ("a", "a", nil),
      ("d.x/a", "a", nil), ("..", "..", nil), ("a.", "a", ""), (".a.b", ".a", "b"),
    ] as [(FilePath, String, String?)]
  )
  func stemAndExtension(path: FilePath, stem: String, ext: String?) {
    #expect(path.stem == Array(stem.utf8))
    #expect(path.fileExtension == ext.map { Array($0.utf8) })
  }

  @Test(
    arguments: [
      ("/a/./b//c", "/a/b/c"), ("/a/../..", "/"), ("a/..", "."), ("../a/../..", "../.."),
      ("./x", "x"), ("", "."), ("/..//b/", "/b"), ("a/b/../../..", ".."),
    ] as [(FilePath, FilePath)]
  )
  func normalization(path: FilePath, expected: FilePath) {
    #expect(path.lexicallyNormalized == expected)
    #expect(expected.lexicallyNormalized == expected)
  }

  @Test func appending() {
    #expect(FilePath("a").appending("b") == "a/b")
    #expect(FilePath("/").appending("b") == "/b")
    #expect(FilePath("a/").appending("b") == "a/b")
    #expect(FilePath("a").appending("/b") == "/b")
    #expect(FilePath("").appending("b") == "b")
    #expect(FilePath("a").appending("") == "a")
    #expect(FilePath("a").appending(component: [0xFF]).bytes == [0x61, 0x2F, 0xFF])
  }

  @Test func relative() {
    #expect(FilePath("/a/b/c").relative(to: "/a") == "b/c")
    #expect(FilePath("/a/b").relative(to: "/") == "a/b")
    #expect(FilePath("/a").relative(to: "/a/")?.bytes == [])
    #expect(FilePath("/ab").relative(to: "/a") == nil)
    #expect(FilePath("a").relative(to: "/a") == nil)
  }

  @Test func displayTextKeepsTextAndEscapesTheRest() {
    #expect(FilePath("/fotos/Grün 1.dng").displayText == "/fotos/Grün 1.dng")
    #expect(FilePath(bytes: [0x61, 0xFF, 0x62]).displayText == #"a\xffb"#)
    #expect(FilePath("a\u{1B}[2Jb\n").displayText == #"a\x1b[2Jb\x0a"#)
    #expect(FilePath("a\u{7F}").displayText == #"a\x7f"#)
    #expect(FilePath("/a b~").displayText == "/a b~")
    #expect(FilePath(#"a\xff"#).displayText == #"a\\xff"#)
    // Right-to-left override; an overlong slash; a surrogate; a cut sequence at the end.
    #expect(FilePath("a\u{202E}b").displayText == #"a\xe2\x80\xaeb"#)
    #expect(FilePath(bytes: [0xC0, 0xAF]).displayText == #"\xc0\xaf"#)
    #expect(FilePath(bytes: [0xED, 0xA0, 0x80]).displayText == #"\xed\xa0\x80"#)
    #expect(FilePath(bytes: [0xE2, 0x82]).displayText == #"\xe2\x82"#)
    #expect(FilePath(bytes: [0xFF]).exactText == nil)
  }

  @Test func hexRoundTrip() {
    let path = FilePath(bytes: (0...255).map { UInt8($0) })
    #expect(FilePath(hexText: path.hexText) == path)
    #expect(FilePath(hexText: "2fFF")?.bytes == [0x2F, 0xFF])
    #expect(FilePath(hexText: "2") == nil)
    #expect(FilePath(hexText: "zz") == nil)
    #expect(FilePath(hexText: "")?.bytes == [])
  }

  @Test func orderIsBytewise() {
    let paths: [FilePath] = ["b", "a", "B", "\u{E9}", "a/b", "a-"]
    #expect(paths.sorted() == ["B", "a", "a-", "a/b", "b", "\u{E9}"])
  }
}
