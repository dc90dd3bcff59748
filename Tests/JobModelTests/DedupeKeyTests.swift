import Digest
import FileSystem
import JobModel
import Testing

@Suite
struct DedupeKeyTests {
  static func input(
    root: String = "shoot",
    path: FilePath = "day1/a.dng",
    size: Int64 = 100,
    time: Int64 = 1_700_000_000_000_000_001
  ) -> InputFile {
    InputFile(
      location: FileLocation(root: root, path: path),
      size: size,
      modificationNanoseconds: time
    )
  }

  static func output(_ id: String, _ root: String, _ path: FilePath) -> PlannedOutput {
    PlannedOutput(id: id, location: FileLocation(root: root, path: path))
  }

  static let recipe = SHA256.digest(of: Array("recipe".utf8))

  static func key(
    _ input: InputFile = input(),
    recipe: SHA256Digest = recipe,
    version: Int = 1,
    outputs: [PlannedOutput] = [output("heic", "out", "a.heic")]
  ) -> DedupeKey {
    DedupeKey(input: input, resolvedRecipe: recipe, pixelVersion: version, outputs: outputs)
  }

  @Test
  func sameWorkHasTheSameKey() {
    #expect(Self.key() == Self.key())
  }

  /// Every part of the identity counts, and no two neighbours can be shifted into one another.
  @Test
  func everyPartCounts() {
    let keys = [
      Self.key(),
      Self.key(Self.input(root: "shoo", path: "tday1/a.dng")),
      Self.key(Self.input(path: "day1/b.dng")),
      Self.key(Self.input(path: FilePath(bytes: [0xff, 0xfe]))),
      Self.key(Self.input(path: FilePath(bytes: [0xff, 0xfd]))),
      Self.key(Self.input(size: 101)),
      Self.key(Self.input(time: 1_700_000_000_000_000_002)),
      Self.key(recipe: SHA256.digest(of: Array("other".utf8))),
      Self.key(version: 2),
      Self.key(outputs: []),
      Self.key(outputs: [Self.output("heic2", "out", "a.heic")]),
      Self.key(outputs: [Self.output("heic", "outa", ".heic")]),
      Self.key(outputs: [Self.output("heic", "out", "a.heif")]),
      Self.key(outputs: [
        Self.output("heic", "out", "a.heic"), Self.output("tiff", "out", "a.tiff"),
      ]),
      Self.key(outputs: [
        Self.output("tiff", "out", "a.tiff"), Self.output("heic", "out", "a.heic"),
      ]),
    ]
    #expect(Set(keys).count == keys.count)
  }

  /// The encoding is stored as a digest for years: it must not change by accident.
  @Test
  func theEncodingIsFixed() {
    let bytes = DedupeKey.encoding(
      input: Self.input(root: "/", path: "a", size: 1, time: -1),
      resolvedRecipe: Self.recipe,
      pixelVersion: 2,
      outputs: [Self.output("h", "/", "b")]
    )
    func word(_ value: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, value] }
    var expected = word(13) + Array("rawmill.job.1".utf8)
    expected += word(1) + Array("/".utf8) + word(1) + Array("a".utf8)
    expected += word(1) + [UInt8](repeating: 255, count: 8)
    expected += word(32) + Self.recipe.bytes + word(2) + word(1)
    expected += word(1) + Array("h".utf8) + word(1) + Array("/".utf8) + word(1) + Array("b".utf8)
    #expect(bytes == expected)
  }

  @Test
  func targetsDifferByRootAndPath() {
    let keys = [
      TargetKey(FileLocation(root: "a", path: "b/c")),
      TargetKey(FileLocation(root: "ab", path: "/c")),
      TargetKey(FileLocation(root: "a", path: "b/d")),
    ]
    #expect(Set(keys).count == 3)
  }

  @Test
  func locationsAreShownEscaped() {
    #expect(FileLocation(root: "/", path: "home/a.dng").description == "/home/a.dng")
    #expect(
      FileLocation(root: "shoot", path: FilePath(bytes: [0x61, 0x0a])).description
        == "shoot:a\\x0A"
        || FileLocation(root: "shoot", path: FilePath(bytes: [0x61, 0x0a])).description
          == "shoot:a\\x0a"
    )
  }
}
