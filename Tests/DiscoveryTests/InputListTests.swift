import Diagnostics
import Discovery
import FileSystem
import JSON
import TestSupport
import Testing

@Suite struct InputListTests {
  @Test func linesAreBytes() throws {
    let list: [UInt8] = Array("a b.dng\n\n".utf8) + [0xFF, 0x0D, 0x0A] + Array("c".utf8)
    let entries = try InputList.paths(list)
    #expect(entries.map(\.input.bytes) == [Array("a b.dng".utf8), [0xFF, 0x0D], [0x63]])
    #expect(entries.map(\.line) == [1, 3, 4])
  }

  @Test func aNULSeparatesNamesWithLineFeeds() throws {
    let entries = try InputList.paths(Array("a\nb\0c\0".utf8))
    #expect(entries.map(\.input) == ["a\nb", "c"])
  }

  @Test func jsonLines() throws {
    let text = #"""
      {"input": "a.dng"}

      {"input": "b.dng", "recipe": {"develop": {"exposure": 1}}, "priority": -3, "output": "x/y.z"}
      {"input": "b.dng", "name": "n"}
      """#
    let entries = try InputList.jsonLines(Array(text.utf8))
    #expect(
      entries == [
        InputEntry(input: "a.dng", line: 1),
        InputEntry(
          input: "b.dng",
          recipe: ["develop": ["exposure": 1]],
          priority: -3,
          output: "x/y.z",
          line: 3
        ),
        InputEntry(input: "b.dng", name: "n", line: 4),
      ]
    )
    #expect(entries[1].outputPath(for: "in/b.dng").stem == Array("y.z".utf8))
    #expect(entries[1].outputPath(for: "in/b.dng").parent == "x")
    #expect(entries[2].outputPath(for: "in/b.dng") == "in/n.raw")
    #expect(entries[0].outputPath(for: "in/b.dng") == "in/b.dng")
  }

  @Test(arguments: [
    (#"{"inptu": "a"}"#, "input"), (#"{"recipe": {}}"#, "input"), ("[]", "an object"),
    (#"{"input": ""}"#, "a path"), (#"{"input": "a", "priority": 501}"#, "-500 to 500"),
    (#"{"input": "a", "priority": 1.5}"#, "integer"), (#"{"input": "a", "recipe": 1}"#, "object"),
    (#"{"input": "a", "output": "/x"}"#, "relative"), (#"{"input": "a", "output": "../x"}"#, "rel"),
    (#"{"input": "a", "output": "x/.y"}"#, "hidden"),
    (#"{"input": "a", "name": "x/y"}"#, "one name"),
    (#"{"input": "a", "output": "x", "name": "y"}"#, "both"), ("{", "line 2"),
    (#"{"input": "a", "input": "b"}"#, "line 2"),
  ])
  func whatIsWrongIsNamedWithItsLine(_ line: String, _ word: String) throws {
    let text = "{\"input\": \"good\"}\n\(line)\n"
    do {
      _ = try InputList.jsonLines(Array(text.utf8))
      Issue.record("\(line) was taken")
    } catch {
      #expect(error.code == "listEntryInvalid")
      #expect(error.message.hasPrefix("line 2 of the list"), "\(error.message)")
      #expect(error.message.contains(word), "\(error.message)")
    }
  }

  /// An entry keeps its folders below the base, one outside has its name alone; twins stay.
  @Test func entriesAreWalkedInOrder() throws {
    let folder = try TemporaryDirectory()
    for name in ["in/day1/a.dng", "in/b.dng", "other/c.dng"] { try folder.write([1], to: name) }
    let walk = FolderWalk(
      [
        .listed(folder.path("other/c.dng"), entry: 0),
        .listed(folder.path("in/day1/a.dng"), entry: 1),
        .listed(folder.path("in/day1/a.dng"), entry: 2),
        .listed(folder.path("in"), entry: 3),
        .pattern(GlobPattern(folder.path("in/*/*.dng"))),
        .pattern(GlobPattern(folder.path("in/*.png"))),
      ],
      base: folder.path("in")
    )
    #expect(
      walk.files.map(\.relativePath) == [
        "c.dng", "day1/a.dng", "day1/a.dng", "b.dng", "day1/a.dng",
      ]
    )
    #expect(walk.files.map(\.entry) == [0, 1, 2, 3, 3])
    #expect(walk.files.map(\.isNamed) == [true, true, true, false, false])
    #expect(walk.unmatched.map(\.text) == [folder.path("in/*.png")])
  }
}
