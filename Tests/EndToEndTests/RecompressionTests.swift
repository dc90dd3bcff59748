import Digest
import FileSystem
import Glibc
import JSON
import PostgresClient
import ProcessControl
import TIFFContainer
import TestSupport
import Testing

/// Collections stored anew: mirrored, replaced, restored, audited, estimated.
@Suite(.serialized) struct RecompressionTests {
  @Test func aMirrorIsProven() throws {
    let fixture = try ArchiveFixture(pictures: 3)
    let run = try fixture.queue.run("--recipe", fixture.recipe.displayText)
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(run.outputText.contains("stored samples the same"))
    #expect(
      try fixture.queue.outputNames() == (0..<3).map(ArchiveFixture.name).sorted()
    )
    let original = try ArchiveFixture.original.get()
    let copy = fixture.queue.output.appending(FilePath(ArchiveFixture.name(0)))
    #expect(try copy.status().size < original.count)
    let verify = try fixture.queue.call("verify", fixture.path(0).displayText, copy.displayText)
    #expect(verify.exitCode == 0, "\(verify.outputText)")
    #expect(verify.outputText.hasPrefix("samples: equal, all 76800\n"))
    #expect(!verify.outputText.contains("tags that differ:"), "\(verify.outputText)")
    let database = try fixture.queue.connect()
    let row = try database.queryOnce(
      """
      SELECT count(*), min(verdict), bool_and(input_size = \(original.count)),
        bool_and(output_size < input_size), bool_and(input_samples_sha256 = output_samples_sha256),
        bool_and(differing = 0 AND worst_codes = 0 AND psnr IS NULL), bool_and(samples = 76800)
      FROM proof
      """,
      named: "test"
    )[0]
    #expect(try row.int(0) == 3)
    #expect(try row.text(1) == "identical")
    for column in 2...6 { #expect(try row.bool(column), "column \(column)") }
  }

  @Test func fewerBitsAreProvenToBeTheNearest() throws {
    let fixture = try ArchiveFixture(pictures: 1, recipe: "dng: {bitDepth: 10}")
    let run = try fixture.queue.run("--recipe", fixture.recipe.displayText, "--json")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let proof = try fixture.lastEvent(run)["totals"]?["proofs"]?[0]
    #expect(proof?["verdict"] == "nearest")
    #expect((proof?["worstSigma"]?.doubleValue ?? 9) < 3)
    let copy = fixture.queue.output.appending(FilePath(ArchiveFixture.name(0)))
    let path = fixture.path(0).displayText
    #expect(try fixture.queue.call("verify", path, copy.displayText).exitCode == 1)
    let within = try fixture.queue.call("verify", path, copy.displayText, "--tolerance", "step")
    #expect(within.exitCode == 0, "\(within.outputText)")
  }

  /// Dither takes the code on either side: within a step, and not within half of one.
  @Test func ditheredBitsAreWithinAStep() throws {
    let fixture = try ArchiveFixture(pictures: 1, recipe: "dng: {bitDepth: 8, compression: none}")
    let run = try fixture.queue.run("--recipe", fixture.recipe.displayText)
    #expect(run.exitCode == 0, "\(run.errorText)")
    let copy = fixture.queue.output.appending(FilePath(ArchiveFixture.name(0)))
    let verify = { (tolerance: String) in
      try fixture.queue.call(
        "verify",
        fixture.path(0).displayText,
        copy.displayText,
        "--tolerance",
        tolerance,
        "--digest-policy",
        "ignore"
      )
    }
    let within = try verify("step")
    #expect(within.exitCode == 0, "\(within.outputText)")
    #expect(within.outputText.contains("within the tolerance 1.0step"))
    #expect(try verify("0.5step").exitCode == 1)
    // The strip of one byte a sample: a sample that is two codes further is no sample dithered.
    var moved = try copy.readAll()
    let raw = try #require(
      try TIFFFile(moved).imageDirectories().first { try $0.integer(.imageWidth) == 320 }
    )
    let sample = try #require(try raw.integer(.stripOffsets)) + 5_000
    moved[sample] = moved[sample] < 128 ? moved[sample] + 2 : moved[sample] - 2
    try copy.removeFile()
    try fixture.folder.write(moved, to: "out/\(ArchiveFixture.name(0))")
    let beyond = try verify("step")
    #expect(beyond.exitCode == 1, "\(beyond.outputText)")
    #expect(beyond.outputText.contains("not within the tolerance 1.0step"))
  }

  @Test func originalsAreReplacedAndComeBack() throws {
    let fixture = try ArchiveFixture(pictures: 4)
    let original = try ArchiveFixture.original.get()
    let before = try (0..<4).map { try fixture.path($0).status() }
    let mode: mode_t = 0o640
    #expect(unsafe chmod(fixture.path(2).displayText, mode) == 0)
    let run = try fixture.replace()
    #expect(run.exitCode == 0, "\(run.errorText)")
    #expect(run.outputText.contains("The originals are in \(fixture.originals)"))
    for index in 0..<4 {
      let status = try fixture.path(index).status()
      #expect(status.size < original.count)
      #expect(status.mtimeNanoseconds == before[index].mtimeNanoseconds)
      #expect(status.permissions == (index == 2 ? 0o640 : before[index].permissions))
      #expect(try fixture.kept(index).readAll() == original)
      #expect(try fixture.kept(index).status().inode == before[index].inode)
    }
    #expect(try fixture.inputNames() == (0..<4).map(ArchiveFixture.name).sorted())
    // What was made by this recipe is done.
    let again = try fixture.replace()
    #expect(again.exitCode == 0)
    #expect(again.outputText.contains("nothing to do: 4 pictures done before"))
    // An audit finds all as it should be; a changed original and a missing output are named.
    let database = try fixture.queue.connect()
    let batch = try fixture.number(database, "SELECT max(batch_id) FROM job")
    let manifest = fixture.folder.path("manifest-sha256.txt")
    let audit = try fixture.queue.call(
      "audit",
      "\(batch)",
      "--manifest",
      manifest.displayText,
      "--json"
    )
    #expect(audit.exitCode == 0, "\(audit.errorText)")
    #expect(try fixture.lastEvent(audit)["intact"] == 8)
    #expect(try fixture.lastEvent(audit)["foreign"] == 0)
    let sums = try ProgramRun.run(
      "/usr/bin/sha256sum",
      arguments: ["--check", "--strict", "--quiet", manifest.displayText],
      workingDirectory: fixture.folder.root
    )
    #expect(sums.exit.isSuccess, "\(sums.outputText)\(sums.errorText)")
    // One back by its name, the rest by their batch.
    let one = try fixture.queue.call("restore", fixture.path(1).displayText)
    #expect(one.exitCode == 0, "\(one.errorText)")
    #expect(try fixture.path(1).readAll() == original)
    try fixture.folder.write(Array("edited".utf8), to: "in/\(ArchiveFixture.name(3))")
    let rest = try fixture.queue.call("restore", "\(batch)")
    #expect(rest.exitCode == 1)
    #expect(rest.errorText.contains("[inputChanged]"))
    #expect(rest.outputText == "2 originals restored, 1 failed\n")
    for index in 0..<3 {
      #expect(try fixture.path(index).readAll() == original)
      #expect(try fixture.path(index).status().inode == before[index].inode)
      #expect(try fixture.kept(index).statusIfExists() == nil)
    }
    #expect(try fixture.path(3).readAll() == Array("edited".utf8))
    #expect(try fixture.kept(3).readAll() == original)
    // And restored ones may be replaced again.
    try fixture.path(3).removeFile()
    #expect(try fixture.queue.call("restore", "\(batch)").exitCode == 0)
    let anew = try fixture.replace()
    #expect(anew.exitCode == 0, "\(anew.errorText)")
    for index in 0..<4 {
      #expect(try fixture.path(index).status().size < original.count)
      #expect(try fixture.kept(index).readAll() == original)
    }
  }

  @Test func withoutOriginalsTheNewFilesAreAllThereIs() throws {
    let fixture = try ArchiveFixture(pictures: 2)
    let arguments = [
      "run", fixture.input.displayText, "--recipe", fixture.recipe.displayText, "--replace",
      "--delete-originals",
    ]
    let run = try fixture.queue.call(arguments)
    #expect(run.exitCode == 0, "\(run.errorText)")
    let size = try fixture.path(0).status().size
    let originalSize = try ArchiveFixture.original.get().count
    #expect(size < originalSize)
    #expect(try fixture.queue.call(arguments).outputText.contains("2 pictures done before"))
    #expect(try fixture.path(0).status().size == size)
    let restore = try fixture.queue.call("restore", fixture.path(0).displayText)
    #expect(restore.exitCode == 1)
    #expect(restore.errorText.contains("[originalNotKept]"))
  }

  @Test func whatCanNotBeReplacedStays() throws {
    let fixture = try ArchiveFixture(pictures: 1)
    let raw = try fixture.folder.write(ArchiveFixture.original.get(), to: "in/other.nef")
    let link = fixture.input.appending(FilePath("link.dng"))
    try link.createSymbolicLink(to: fixture.path(0))
    let foreign = try fixture.folder.write([1], to: "originals/\(ArchiveFixture.name(0))")
    let run = try fixture.replace()
    #expect(run.exitCode == 1)
    for code in ["inputIsNoDNG", "inputIsLink", "outputExists"] {
      #expect(run.outputText.contains("[\(code)]"), "\(code): \(run.outputText)")
    }
    let original = try ArchiveFixture.original.get()
    #expect(try fixture.path(0).readAll() == original)
    #expect(try raw.readAll() == original)
    #expect(try foreign.readAll() == [1])
  }

  @Test(arguments: [
    (["--replace"], "--originals FOLDER"),
    (["--replace", "--originals", "a", "--to", "b"], "--to"),
    (["--replace", "--originals", "a", "--delete-originals"], "give one of the two"),
    (["--originals", "a"], "go with --replace"), ([], "Missing expected option '--to <folder>'"),
    (["--replace", "--originals", "a", "--recipe", "heic.yaml"], "a dng"),
  ])
  func contradictionsAreRefused(words: [String], text: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write(Array("recipe: 1\noutputs: [heic: {}]".utf8), to: "heic.yaml")
    try folder.write(Array("recipe: 1\noutputs: [dng: {}]".utf8), to: "dng.yaml")
    let recipe = words.contains("--recipe") ? [] : ["--recipe", "dng.yaml"]
    let run = try ProgramRun.run(
      BuiltProduct.rawmill,
      arguments: ["run", "."] + words + recipe,
      workingDirectory: folder.root
    )
    #expect(run.exitCode == 64)
    #expect(run.errorText.contains(text), "\(run.errorText)")
  }

  @Test func anAuditNamesWhatIsWrongAndGoesOnWhereItWas() throws {
    let fixture = try ArchiveFixture(pictures: 5)
    #expect(try fixture.queue.run("--recipe", fixture.recipe.displayText).exitCode == 0)
    let output = fixture.queue.output
    func path(_ index: Int) -> FilePath { output.appending(FilePath(ArchiveFixture.name(index))) }
    try path(0).removeFile()
    var bytes = try path(1).readAll()
    bytes[bytes.count / 2] ^= 1
    try fixture.folder.write(bytes, to: "out/\(ArchiveFixture.name(1))")
    try fixture.folder.write([1], to: "out/day0/foreign.txt")
    let audit = try fixture.queue.call("audit", output.displayText, "--json")
    #expect(audit.exitCode == 1)
    let end = try fixture.lastEvent(audit)
    #expect(end["intact"] == 3 && end["missing"] == 1 && end["changed"] == 1)
    #expect(end["foreign"] == 1)
    #expect(audit.errorText.contains("\(path(0)): output missing"))
    #expect(audit.errorText.contains("\(path(1)): output changed: its content is another"))
    #expect(audit.outputText.contains("foreign.txt"))
    // As if it had been killed before its end.
    let database = try fixture.queue.connect()
    try database.execute("UPDATE audit SET finished_at = NULL", named: "test")
    let resumed = try fixture.queue.call("audit", output.displayText, "--json")
    #expect(resumed.exitCode == 1)
    #expect(try fixture.lastEvent(resumed)["lookedAtBefore"] == 3)
    #expect(try fixture.lastEvent(resumed)["intact"] == 3)
    let anew = try fixture.queue.call("audit", output.displayText, "--json", "--rate", "1000")
    #expect(try fixture.lastEvent(anew)["lookedAtBefore"] == 0)
    // A manifest replaces no other file.
    let foreign = try fixture.folder.write(Array("mine".utf8), to: "mine.txt")
    let refused = try fixture.queue.call(
      "audit",
      output.displayText,
      "--manifest",
      foreign.displayText
    )
    #expect(refused.exitCode == 64)
    #expect(try foreign.readAll() == Array("mine".utf8))
  }

  @Test func anAuditPassesOverWhatALaterReplacementTook() throws {
    let fixture = try ArchiveFixture(pictures: 2)
    #expect(try fixture.replace().exitCode == 0)
    let first = try fixture.path(0).readAll()
    let other = try fixture.folder.write(
      Array("recipe: 1\noutputs: [dng: {compression: none}]".utf8),
      to: "other.yaml"
    )
    let again = try fixture.queue.call(
      "run",
      fixture.path(0).displayText,
      "--recipe",
      other.displayText,
      "--replace",
      "--originals",
      fixture.folder.path("second").displayText
    )
    #expect(again.exitCode == 0, "\(again.errorText)\(again.outputText)")
    #expect(try fixture.path(0).readAll() != first)
    let folder = fixture.input.displayText
    func audit(_ target: String) throws -> JSONValue {
      let run = try fixture.queue.call("audit", target, "--json", "--restart")
      #expect(run.exitCode == 0, "\(run.errorText)")
      return try fixture.lastEvent(run)
    }
    #expect(try audit(folder)["intact"] == 2)
    // Of the first batch: two kept originals, and the output that still stands.
    #expect(try audit("1")["intact"] == 3)
    #expect(try audit("2")["intact"] == 2)
    // Put back, the first replacement's output is audited again.
    #expect(try fixture.queue.call("restore", fixture.path(0).displayText).exitCode == 0)
    #expect(try fixture.path(0).readAll() == first)
    #expect(try audit(folder)["intact"] == 2)
    #expect(try audit("1")["intact"] == 4)
    var bytes = first
    bytes[bytes.count / 2] ^= 1
    try fixture.path(0).removeFile()
    try fixture.folder.write(bytes, to: "in/\(ArchiveFixture.name(0))")
    #expect(try fixture.queue.call("audit", folder, "--restart").exitCode == 1)
  }

  @Test func theGuidesQueriesWork() throws {
    let fixture = try ArchiveFixture(pictures: 1)
    #expect(try fixture.queue.run("--recipe", fixture.recipe.displayText).exitCode == 0)
    let database = try fixture.queue.connect()
    let queries = try GuideText.blocks("sql", of: "Archiving")
      .flatMap { $0.split(separator: ";\n") }
    #expect(queries.count == 3)
    for query in queries {
      // The guide's batch is 7.
      let text = query.split(separator: " = 7").joined(separator: " = 1")
      let result = try database.queryOnce(text, named: "test")
      if text.contains("GROUP BY") { #expect(result.rowCount == 1, "\(text)") }
    }
  }

  /// RFC 8493, 2.1.3: line ends and percent signs of a path are percent-encoded, nothing else.
  @Test func aManifestsNamesStandOnALineEach() throws {
    let fixture = try ArchiveFixture(pictures: 0)
    let name = "two\nlines\r of 50%, b\u{308}\\.dng"
    try fixture.folder.write(ArchiveFixture.original.get(), to: "in/\(name)")
    #expect(try fixture.queue.run("--recipe", fixture.recipe.displayText).exitCode == 0)
    let manifest = fixture.folder.path("manifest-sha256.txt")
    let audit = try fixture.queue.call(
      "audit",
      fixture.queue.output.displayText,
      "--manifest",
      manifest.displayText
    )
    #expect(audit.exitCode == 0, "\(audit.errorText)")
    let copy = try fixture.queue.output.appending(FilePath(name)).readAll()
    let line = "\(SHA256.digest(of: copy).hex)  two%0Alines%0D of 50%25, b\u{308}\\.dng\n"
    #expect(try manifest.readAll() == Array(line.utf8))
  }

  @Test func anEstimateReckonsFromSomeToAll() throws {
    let fixture = try ArchiveFixture(pictures: 6)
    let run = try RawmillRun.call(
      "estimate",
      fixture.input.displayText,
      "--recipe",
      fixture.recipe.displayText,
      "--samples",
      "3",
      "--json"
    )
    #expect(run.exitCode == 0, "\(run.errorText)")
    let estimate = try #require(try fixture.lastEvent(run)["estimate"])
    #expect(estimate["files"] == 6 && estimate["samples"] == 3 && estimate["failed"] == 0)
    let size = Double(try ArchiveFixture.original.get().count)
    let output = try #require(estimate["outputBytes"]?.doubleValue)
    #expect(output > 0 && output < 6 * size)
    // All files are the same: the estimate is exact, up to the rounding of its ratio.
    #expect((estimate["outputBytesMargin"]?.doubleValue ?? 9) < 1)
    #expect(estimate["savedBytes"]?.doubleValue == 6 * size - output)
    #expect((estimate["cpuSeconds"]?.doubleValue ?? 0) > 0)
  }

  @Test func anotherFileOfItsSizeStandsInForOneThatFails() throws {
    let fixture = try ArchiveFixture(pictures: 6)
    // The largest is the first one tried of its part, and has another digest than it states.
    var damaged = try ArchiveFixture.original.get() + [0, 0]
    damaged[damaged.count / 2] ^= 1
    try fixture.path(5).removeFile()
    try fixture.folder.write(damaged, to: "in/\(ArchiveFixture.name(5))")
    let call = ["estimate", fixture.input.displayText, "--recipe", fixture.recipe.displayText]
    let run = try fixture.queue.call(call + ["--samples", "3", "--json"])
    #expect(run.exitCode == 0, "\(run.errorText)")
    let estimate = try #require(try fixture.lastEvent(run)["estimate"])
    #expect(estimate["samples"] == 3 && estimate["failed"] == 1)
    #expect(estimate["outputBytesMargin"]?.doubleValue != nil)
    // Each is a part of its own: none can stand in.
    let alone = try fixture.queue.call(call + ["--samples", "6", "--json"])
    let rest = try #require(try fixture.lastEvent(alone)["estimate"])
    #expect(rest["samples"] == 5 && rest["failed"] == 1)
  }

  @Test func twoSamplesHaveNoRange() throws {
    let fixture = try ArchiveFixture(pictures: 4)
    let call = [
      "estimate", fixture.input.displayText, "--recipe", fixture.recipe.displayText, "--samples",
      "2",
    ]
    let text = try fixture.queue.call(call).outputText
    #expect(text.contains("no range") && !text.contains("±"), "\(text)")
    let run = try fixture.queue.call(call + ["--json"])
    let estimate = try #require(try fixture.lastEvent(run)["estimate"])
    #expect(estimate["samples"] == 2 && estimate["outputBytesMargin"] == .null)
    #expect(estimate["cpuSecondsMargin"] == .null)
  }
}
