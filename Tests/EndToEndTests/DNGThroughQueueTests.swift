import FileSystem
import JSON
import PostgresClient
import TestSupport
import Testing

/// DNG outputs of every kind through the real program and a real database.
@Suite(.serialized) struct DNGThroughQueueTests {
  /// The columns of the one proof row.
  private func proof(_ fixture: ArchiveFixture) throws -> (verdict: String, isDigestSame: Bool) {
    let row = try fixture.queue.connect().queryOnce(
      "SELECT min(verdict), bool_and(input_samples_sha256 = output_samples_sha256) FROM proof",
      named: "test"
    )[0]
    return (try row.text(0), try row.bool(1))
  }

  @Test("A linear DNG is proven to hold what is made of the mosaic, and replaces nothing")
  func linear() throws {
    let fixture = try ArchiveFixture(pictures: 1, recipe: "dng: {linear: true}")
    let run = try fixture.queue.run("--recipe", fixture.recipe.displayText)
    #expect(run.exitCode == 0, "\(run.errorText)")
    let proof = try proof(fixture)
    #expect(proof.verdict == "equal" && !proof.isDigestSame)
    let copy = fixture.queue.output.appending(FilePath(ArchiveFixture.name(0))).displayText
    let path = fixture.path(0).displayText
    // As they stand there is nothing to compare; demosaiced, all is equal.
    let plain = try fixture.queue.call("verify", path, copy)
    #expect(plain.exitCode == 1 && plain.outputText.contains("not comparable"))
    let verify = try fixture.queue.call("verify", path, copy, "--demosaic")
    #expect(verify.exitCode == 0, "\(verify.outputText)")
    #expect(
      verify.outputText.hasPrefix("samples: equal to the demosaiced original's, all 230400\n")
    )
    let replace = try fixture.replace()
    #expect(replace.exitCode == 64)
    #expect(replace.errorText.contains("a dng that is not linear"), "\(replace.errorText)")
    #expect(try fixture.path(0).readAll() == ArchiveFixture.original.get())
  }

  @Test(
    "Lossy DNGs are proven to reach what their quality states",
    arguments: [
      "{compression: jpegXL, quality: 0.95}",
      "{compression: lossyJPEG, quality: 0.8, linear: true}",
    ]
  )
  func lossy(settings: String) throws {
    let fixture = try ArchiveFixture(pictures: 1, recipe: "dng: \(settings)")
    let run = try fixture.queue.run("--recipe", fixture.recipe.displayText, "--json")
    #expect(run.exitCode == 0, "\(run.errorText)")
    let proof = try fixture.lastEvent(run)["totals"]?["proofs"]?[0]
    #expect(proof?["verdict"] == "ratio")
    let row = try fixture.queue.connect().queryOnce("SELECT psnr FROM proof", named: "test")[0]
    #expect(try row.double(0) >= (settings.contains("jpegXL") ? 44.5 : 38))
  }

  @Test("Rules, a look and previews: the DNG keeps its samples, its previews show the development")
  func previews() throws {
    let look = "LUT_1D_SIZE 2\n0.5 0.25 0.75\n0.5 0.25 0.75\n"
    // The samples say ISO 200: the second rule holds, the first does not.
    let fixture = try ArchiveFixture(pictures: 1)
    try fixture.folder.write(Array(look.utf8), to: "one.cube")
    let text = """
      recipe: 1
      rules:
        - when: {iso: ">3200"}
          develop: {exposure: 3}
        - when: {iso: "100..400", camera: "*Sample*"}
          develop: {extra: {lut: one.cube}}
      outputs:
        - dng: {preview: full}
        - tiff: {bitDepth: 8}
      """
    try fixture.folder.write(Array(text.utf8), to: "archive.yaml")
    let run = try fixture.queue.run("--recipe", fixture.recipe.displayText)
    #expect(run.exitCode == 0, "\(run.errorText)")
    let names = try fixture.queue.outputNames()
    #expect(names == ["day0/picture1000.dng", "day0/picture1000.tiff"])
    #expect(try proof(fixture).verdict == "identical")
    let copy = fixture.queue.output.appending(FilePath(names[0]))
    let inspection = try fixture.queue.call("inspect", copy.displayText, "--json")
    let images = try #require(try JSONParser.parse(inspection.output)["dng"]?["images"])
    let previews = (images.arrayValue ?? []).filter { $0["kind"] == "preview" }
    #expect(previews.count == 2, "\(inspection.outputText)")
    // The look makes one colour of every picture: a preview of it takes hardly any bytes.
    let plain = try fixture.folder.write(
      Array("recipe: 1\noutputs: [dng: {preview: full}]".utf8),
      to: "plain.yaml"
    )
    let other = try fixture.queue.call(
      "develop",
      fixture.path(0).displayText,
      "--recipe",
      plain.displayText,
      "--to",
      fixture.folder.path("plain").displayText
    )
    #expect(other.exitCode == 0, "\(other.errorText)")
    let size = try fixture.folder.path("plain/picture1000.dng").status().size
    #expect(try copy.status().size < size - 3_000)
    let settings = try fixture.queue.connect().queryOnce(
      "SELECT resolved_settings::text FROM provenance",
      named: "test"
    )[0].text(0)
    #expect(settings.contains("rule 2") && !settings.contains("rule 1"), "\(settings)")
  }

  @Test(
    "Damaged files fail by name among good ones, which are all done",
    .enabled(if: Corpus.isAvailable, Corpus.missingComment)
  )
  func damagedAmongGood() throws {
    let fixture = try ArchiveFixture(pictures: 6, recipe: "dng: {bitDepth: 10, preview: full}")
    var damaged: Set<String> = []
    for name in try Corpus.names("malformed/mutated") {
      try fixture.folder.write(Corpus.bytes("malformed/mutated/\(name)"), to: "in/bad/\(name)")
      damaged.insert("bad/\(name)")
    }
    let run = try fixture.queue.run("--recipe", fixture.recipe.displayText, timeout: .seconds(500))
    #expect(run.exitCode == 1, "\(run.errorText)")
    let names = try fixture.queue.outputNames()
    #expect(names == (0..<6).map(ArchiveFixture.name).sorted())
    let rows = try fixture.queue.connect().queryOnce(
      """
      SELECT count(*) FILTER (WHERE outcome = 1), count(*) FILTER (WHERE outcome = 2)
      FROM job
      """,
      named: "test"
    )[0]
    #expect(try rows.int(0) == 6)
    // What is no raw at all by its first bytes is not submitted; of the rest each failed.
    #expect(try rows.int(1) >= 25)
    let again = try fixture.queue.run(
      "--recipe",
      fixture.recipe.displayText,
      timeout: .seconds(500)
    )
    #expect(again.exitCode == 1)
    #expect(try fixture.queue.outputNames() == names)
  }
}
