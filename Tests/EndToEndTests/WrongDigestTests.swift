import FileSystem
import JSON
import PostgresClient
import TestSupport
import Testing

/// An archive's raw that states the digest of other samples, through the real program and a real database.
@Suite(.serialized) struct WrongDigestTests {
  /// The archive's original with one bit of NewRawImageDigest changed.
  private static func damaged() throws -> [UInt8] {
    var bytes = try ArchiveFixture.original.get()
    // Tag 51111, type 1, 16 values, which stand at an offset.
    let entry: [UInt8] = [0xA7, 0xC7, 1, 0, 16, 0, 0, 0]
    let start = try #require(
      (0..<bytes.count - 12).first { bytes[$0..<$0 + 8].elementsEqual(entry) }
    )
    bytes[(0..<4).reduce(0) { $0 | Int(bytes[start + 8 + $1]) << (8 * $1) }] ^= 1
    return bytes
  }

  private static func fixture() throws -> ArchiveFixture {
    let fixture = try ArchiveFixture(pictures: 0)
    try fixture.folder.write(damaged(), to: "in/\(ArchiveFixture.name(0))")
    return fixture
  }

  @Test(arguments: ["warn", "ignore"])
  func isPassedOverWhereTheCallSaysSo(policy: String) throws {
    let fixture = try Self.fixture()
    let words = ["--digest-policy", policy]
    let recipe = fixture.recipe.displayText
    let run = try fixture.queue.run("--recipe", recipe, "--digest-policy", policy)
    #expect(run.exitCode == 0, "\(run.errorText)\(run.outputText)")
    let row = try fixture.queue.connect().queryOnce(
      """
      SELECT min(verdict), coalesce(min(v.resolved_settings ->> 'warnings'), 'none')
      FROM proof JOIN provenance v USING (job_id, attempt)
      """,
      named: "test"
    )[0]
    #expect(try row.text(0) == "identical")
    // The output states its own digest: what was wrong stands here alone.
    let warnings = try row.text(1)
    #expect(warnings.contains("NewRawImageDigest") == (policy == "warn"), "\(warnings)")
    #expect((warnings == "none") == (policy == "ignore"))
    let copy = fixture.queue.output.appending(FilePath(ArchiveFixture.name(0))).displayText
    #expect(try fixture.queue.call("inspect", copy, "--digest").exitCode == 0)

    let original = fixture.path(0).displayText
    let strict = try fixture.queue.call("verify", original, copy)
    #expect(strict.exitCode == 1 && strict.errorText.contains("rawDigestMismatch"))
    let verify = try fixture.queue.call(["verify", original, copy, "--json"] + words)
    #expect(verify.exitCode == 0, "\(verify.errorText)")
    let first = try JSONParser.parse(verify.output)["first"]
    #expect((first?["warnings"]?.arrayValue?.count ?? 0) == (policy == "warn" ? 1 : 0))
    let text = try fixture.queue.call(["verify", original, copy] + words)
    #expect(text.outputText.contains("NewRawImageDigest") && text.exitCode == 0)
    #expect(text.outputText.contains("original: ") == (policy == "warn"), "\(text.outputText)")

    let folder = fixture.input.displayText
    let refused = try fixture.queue.call("estimate", folder, "--recipe", recipe)
    #expect(refused.exitCode == 1)
    let estimate = try fixture.queue.call(["estimate", folder, "--recipe", recipe] + words)
    #expect(estimate.exitCode == 0, "\(estimate.errorText)")
  }

  @Test func failsTheRawByDefault() throws {
    let fixture = try Self.fixture()
    let run = try fixture.queue.run("--recipe", fixture.recipe.displayText)
    #expect(run.exitCode == 1)
    #expect(run.outputText.contains("rawDigestMismatch"), "\(run.outputText)")
    #expect(try fixture.queue.outputNames().isEmpty)
  }

  /// A copy was made anew: a digest that it does not have is a fault of its writer.
  @Test func aWarningExcusesNoCopy() throws {
    let fixture = try Self.fixture()
    let damaged = fixture.path(0).displayText
    let sound = try fixture.folder.write(ArchiveFixture.original.get(), to: "sound.dng")
      .displayText
    let cases: [([String], Int32)] = [
      ([sound, damaged, "--digest-policy", "warn"], 1),
      ([sound, damaged, "--digest-policy", "ignore"], 0),
      ([damaged, sound, "--digest-policy", "warn"], 0),
      ([damaged, damaged, "--digest-policy", "warn"], 0), ([damaged, damaged], 1),
    ]
    for (words, exitCode) in cases {
      let run = try fixture.queue.call(["verify"] + words)
      #expect(run.exitCode == exitCode, "\(words): \(run.outputText)\(run.errorText)")
    }
  }
}
