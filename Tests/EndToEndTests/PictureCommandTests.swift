import FileSystem
import JSON
import TestSupport
import Testing

/// Commands about single pictures, on the program's own samples.
@Suite struct PictureCommandTests {
  private static let names = [
    "bayer-lossless-jpeg.dng", "bayer-packed-14bit.dng", "linear-raw.dng",
  ]

  /// The samples, written once for all tests of the process.
  private static let samples = Result { () throws -> TemporaryDirectory in
    let folder = try TemporaryDirectory()
    let run = try RawmillRun.call(["sample", "--to"].map { Array($0.utf8) } + [folder.root.bytes])
    #expect(run.exitCode == 0)
    return folder
  }

  private let folder: TemporaryDirectory
  private let samples: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    samples = try Self.samples.get()
  }

  private func sample(_ index: Int) throws -> String {
    try #require(samples.path(Self.names[index]).exactText)
  }

  private func output(_ name: String) throws -> String {
    try #require(folder.path(name).exactText)
  }

  @Test func samplesAreWrittenOnce() throws {
    let before = try samples.path(Self.names[0]).status()
    let run = try RawmillRun.call(
      ["sample", "--to"].map { Array($0.utf8) } + [samples.root.bytes]
    )
    #expect(run.exitCode == 0)
    #expect(run.outputText.split(separator: "\n").allSatisfy { $0.hasSuffix(", was there") })
    #expect(try samples.path(Self.names[0]).status() == before)
    #expect(
      try samples.root.directoryEntries().map(\.name.displayText).sorted() == Self.names.sorted()
    )
  }

  @Test func aSampleDoesNotReplaceAnotherFile() throws {
    try folder.write([1, 2, 3], to: Self.names[0])
    let run = try RawmillRun.call(["sample", "--to"].map { Array($0.utf8) } + [folder.root.bytes])
    #expect(run.exitCode == 64)
    #expect(run.errorText.contains(Self.names[0]))
    #expect(try folder.path(Self.names[0]).readAll() == [1, 2, 3])
    #expect(try folder.root.directoryEntries().count == 1)
  }

  @Test(arguments: 0..<3)
  func inspectNamesWhatASampleIs(index: Int) throws {
    let run = try RawmillRun.call("inspect", "--json", "--digest", try sample(index))
    #expect(run.exitCode == 0)
    let value = try JSONParser.parse(run.output)
    #expect(value["isSupported"] == true)
    #expect(value["dng"]?["raw"]?["width"] == 4032)
    #expect(value["mosaicSHA256"]?.stringValue?.count == 64)
    let text = try RawmillRun.call("inspect", try sample(index)).outputText
    #expect(text.contains("make                 rawmill"))
  }

  @Test func developWritesHEICWithoutARecipe() throws {
    let run = try RawmillRun.call("develop", try sample(0), "--to", try output("out"))
    #expect(run.exitCode == 0, "\(run.errorText)")
    let path = folder.path("out/bayer-lossless-jpeg.heic")
    #expect(run.outputText.hasPrefix("\(path): 4032x3024, "))
    #expect(try path.readAll(limit: 1 << 30).dropFirst(4).starts(with: Array("ftypheic".utf8)))
    #expect(try folder.path("out").directoryEntries().count == 1)
  }

  /// A DNG through the child: samples the same, the name kept, the error of fewer bits in the report.
  @Test func developWritesDNGs() throws {
    let recipe = try folder.write(
      Array(
        """
        recipe: 1
        outputs:
          - dng: {}
          - dng: {bitDepth: 10, preview: 512, suffix: _10}
        """.utf8
      ),
      to: "archive.yaml"
    )
    let run = try RawmillRun.call(
      "develop",
      try sample(0),
      "--recipe",
      try #require(recipe.exactText),
      "--to",
      try output("out"),
      "--json"
    )
    #expect(run.exitCode == 0, "\(run.errorText)")
    let events = try run.outputText.split(separator: "\n").map {
      try JSONParser.parse(Array($0.utf8))
    }
    let reports = events.filter { $0["event"] == "output" }.compactMap { $0["report"] ?? nil }
    #expect(reports.count == 2)
    #expect(reports[0]["raw"]?["isUnchanged"] == true)
    let step = try #require(reports[1]["raw"]?["error"]?["worstStepInSigma"]?.doubleValue)
    #expect(step > 0 && step < 0.5)
    func digest(_ path: String) throws -> JSONValue? {
      let run = try RawmillRun.call("inspect", "--json", "--digest", path)
      return try JSONParser.parse(run.output)["mosaicSHA256"]
    }
    let copy = try output("out/bayer-lossless-jpeg.dng")
    #expect(try digest(copy) == digest(sample(0)))
    let bytes = try folder.path("out/bayer-lossless-jpeg.dng").readAll(limit: 1 << 30)
    let name = Array("bayer-lossless-jpeg.dng\0".utf8)
    #expect(bytes.prefix(1 << 16).indices.contains { bytes[$0...].starts(with: name) })
    let reduced = try RawmillRun.call(
      "inspect",
      "--json",
      try output("out/bayer-lossless-jpeg_10.dng")
    )
    #expect(try JSONParser.parse(reduced.output)["isSupported"] == true)
  }

  @Test func developNeverReplacesAFile() throws {
    let path = try folder.write([1, 2, 3], to: "out/bayer-lossless-jpeg.heic")
    let run = try RawmillRun.call("develop", try sample(0), "--to", try output("out"))
    #expect(run.exitCode == 1)
    #expect(run.errorText.contains("[outputExists]"))
    #expect(try path.readAll() == [1, 2, 3])
    #expect(try folder.path("out").directoryEntries().count == 1)
  }

  @Test func whatAKilledDevelopLeftIsSwept() throws {
    try folder.write([1], to: "out/.bayer-lossless-jpeg.heic.develop-1.1.tmp")
    try folder.write([1], to: "out/.other.heic.develop-1.1.tmp")
    // One that another process has open is left alone.
    let busy = try folder.write([1], to: "out/.bayer-lossless-jpeg.heic.develop-2.1.tmp")
    let owner = try FileDescriptor.open(busy, .read)
    try owner.lock()
    let run = try RawmillRun.call("develop", try sample(0), "--to", try output("out"))
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(
      try folder.path("out").directoryEntries().map(\.name) == [
        ".bayer-lossless-jpeg.heic.develop-2.1.tmp", ".other.heic.develop-1.1.tmp",
        "bayer-lossless-jpeg.heic",
      ]
    )
    try owner.unlock()
  }

  @Test func developReportsEvents() throws {
    let recipe = try folder.write(
      Array("recipe: 1\noutputs: [tiff: {bitDepth: 8}, tiff: {suffix: _16}]".utf8),
      to: "r.yaml"
    )
    let run = try RawmillRun.call(
      "develop",
      try sample(2),
      "--to",
      try output("out"),
      "--json",
      "--recipe",
      try #require(recipe.exactText)
    )
    #expect(run.exitCode == 0, "\(run.errorText)")
    let events = try run.outputText.split(separator: "\n").map { try JSONParser.parse(String($0)) }
    #expect(events.filter { $0["event"] == "output" }.count == 2)
    #expect(events.last?["event"] == "done")
    #expect(events.last?["report"]?["pixelVersion"] != nil)
    #expect(events.contains { $0["event"] == "stage" && $0["name"] == "decode" })
    #expect(
      try folder.path("out").directoryEntries().map(\.name.displayText).sorted()
        == ["linear-raw.tiff", "linear-raw_16.tiff"]
    )
  }

  @Test func explainNamesEachSettingAndItsOrigin() throws {
    let recipe = try folder.write(
      Array("recipe: 1\ndevelop: {exposure: 0.5}\noutputs: [heic: {suffix: _a}]".utf8),
      to: "r.yaml"
    )
    let path = try #require(recipe.exactText)
    let run = try RawmillRun.call("recipe", "explain", try sample(0), "--recipe", path, "--plan")
    #expect(run.exitCode == 0)
    #expect(run.outputText.contains(/exposure +0\.5 +recipe\n/))
    #expect(run.outputText.contains(/boostAmount +1 +default\n/))
    #expect(run.outputText.contains("{name}_a.heic"))
    #expect(run.outputText.contains(/demosaic\.menon +mosaic +8\b/))
    let json = try RawmillRun.call("recipe", "explain", try sample(0), "--json")
    #expect(try JSONParser.parse(json.output)["settings"]?["exposure"]?["value"] == 0)
  }

  @Test func rulesAndPresetsAreResolvedForThePicture() throws {
    let recipe = try folder.write(
      Array(
        """
        recipe: 1
        develop: {preset: linearScene, shadowBias: 2}
        rules:
          - when: {iso: ">1000000"}
            develop: {exposure: 3}
          - when: {camera: "*"}
            develop: {exposure: 0.25}
        outputs: [tiff: {}]
        """.utf8
      ),
      to: "rules.yaml"
    )
    let path = try #require(recipe.exactText)
    let run = try RawmillRun.call("recipe", "explain", try sample(0), "--recipe", path)
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(run.outputText.contains(/exposure +0\.25 +rule 2\n/))
    #expect(run.outputText.contains(/shadowBias +2 +recipe\n/))
    #expect(run.outputText.contains(/boostAmount +0 +preset linearScene\n/))
    #expect(run.outputText.contains("rules that hold: 2 of 2"))
    #expect(run.outputText.contains("isLensCorrectionSupported"))
    let output = try #require(folder.path("ruled").exactText)
    let developed = try RawmillRun.call(
      "develop",
      try sample(0),
      "--recipe",
      path,
      "--to",
      output,
      "--json"
    )
    #expect(developed.exitCode == 0, "\(developed.errorText)")
    let last = try #require(developed.outputText.split(separator: "\n").last)
    let settings = try JSONParser.parse(String(last))["report"]?["resolvedSettings"]
    #expect(settings?["exposure"] == ["value": 0.25, "origin": "rule 2"])
    #expect(settings?["boostAmount"]?["origin"] == "preset linearScene")
  }

  @Test func pathsNeedNotBeUTF8() throws {
    let name = Array("a".utf8) + [0xFF] + Array(".dng".utf8)
    let input = folder.root.appending(component: name)
    try input.createSymbolicLink(to: samples.path(Self.names[2]))
    let run = try RawmillRun.call(
      [Array("develop".utf8), input.bytes, Array("--to".utf8), folder.path("out").bytes])
    #expect(run.exitCode == 0, "\(run.errorText)")
    let output = folder.path("out").appending(
      component: Array("a".utf8) + [0xFF] + Array(".heic".utf8)
    )
    #expect(try output.status().size > 0)
  }

  @Test func verifyComparesTwoRaws() throws {
    let text = try sample(0)
    let same = try RawmillRun.call("verify", text, text)
    #expect(same.exitCode == 0, "\(same.errorText)")
    #expect(same.outputText.hasPrefix("samples: equal, all 12192768\n"))
    #expect(same.outputText.hasSuffix("tags: all the same\n"))
    let other = try RawmillRun.call("verify", text, try sample(2), "--json")
    #expect(other.exitCode == 1)
    let json = try JSONParser.parse(other.output)
    #expect(json["isWithinTolerance"] == false)
    #expect(json["shapeDifference"]?.stringValue?.contains("linear") == true)
    let foreign = try folder.write([1, 2, 3], to: "x.dng")
    let failed = try RawmillRun.call("verify", text, try #require(foreign.exactText))
    #expect(failed.exitCode == 1)
    #expect(failed.errorText.contains(/\[\w+\]\n$/))
    #expect(try RawmillRun.call("verify", text, text, "--tolerance", "much").exitCode == 64)
  }

  @Test func whatIsNoRawFailsByName() throws {
    let path = try folder.write(Array("GIF89a".utf8), to: "a.dng")
    let text = try #require(path.exactText)
    let run = try RawmillRun.call("develop", text, "--to", try output("out"))
    #expect(run.exitCode == 1)
    #expect(run.errorText.hasPrefix("rawmill: \(text): "))
    #expect(run.errorText.contains(/\[\w+\]\n$/))
    #expect(try RawmillRun.call("develop", "/nowhere.dng", "--to", "x").exitCode == 1)
  }
}
