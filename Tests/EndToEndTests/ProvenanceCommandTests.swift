import Digest
import FileSystem
import Glibc
import JSON
import TestSupport
import Testing

/// What made an output, asked by its place and by its bytes.
@Suite struct ProvenanceCommandTests {
  private func records(_ run: ProgramRun) throws -> [JSONValue] {
    try run.outputText.split(separator: "\n").map { try JSONParser.parse(String($0)) }
      .filter { $0["event"] == "provenance" }.compactMap { $0["provenance"] }
  }

  @Test func whatMadeAFileIsSaid() throws {
    let fixture = try QueueFixture(pictures: 2)
    #expect(try fixture.run().exitCode == 0)
    let input = fixture.input.appending("day0/picture1000.dng")
    let output = fixture.output.appending("day0/picture1000.heic")
    let bytes = try output.readAll()
    let digest = SHA256.digest(of: bytes).hex
    let record = try #require(
      try records(fixture.call("provenance", output.displayText, "--json")).first
    )
    #expect(record["file"] == "same")
    #expect(record["output"]?["sha256"]?.stringValue == digest)
    #expect(record["output"]?["size"]?.integerValue == Int64(bytes.count))
    #expect(record["output"]?["format"] == "heic")
    #expect(record["input"]?["path"]?.stringValue == String(input.displayText.dropFirst()))
    #expect(
      try record["input"]?["sha256"]?.stringValue == SHA256.digest(of: input.readAll()).hex
    )
    #expect(record["recipe"]?["canonical"]?["outputs"]?.arrayValue?.count == 1)
    #expect(record["recipe"]?["digest"]?.stringValue?.count == 64)
    #expect(record["settings"]?.objectValue?.isEmpty == false)
    #expect(record["engine"]?["libraries"]?["libheif"] != nil)
    #expect(record["attempt"]?["attempt"] == 1 && record["attempt"]?["batch"] == 1)
    #expect(record["proof"]?.isNull == true)
    let text = try fixture.call("provenance", output.displayText)
    #expect(text.exitCode == 0)
    for part in [digest, "pixel version", "picture1000.dng", "same"] {
      #expect(text.outputText.contains(part), "\(part) in \(text.outputText)")
    }

    // Moved: its bytes tell. Another file in its place is not taken for it.
    try #require(unsafe rename(output.displayText, output.displayText + ".moved") == 0)
    let gone = try records(fixture.call("provenance", output.displayText, "--json"))
    #expect(gone.map { $0["file"] } == ["missing"])
    let moved = try records(fixture.call("provenance", "--sha256", digest.uppercased(), "--json"))
    // Both inputs are the same picture, and so are both outputs.
    #expect(moved.count == 2)
    #expect(moved.contains { $0["output"] == record["output"] })
    try fixture.folder.write([1], to: "out/day0/picture1000.heic")
    let other = try records(fixture.call("provenance", output.displayText, "--json"))
    #expect(other.map { $0["file"] } == ["changed"])

    for unknown in [
      [fixture.output.appending("nothing.heic").displayText],
      ["--sha256", String(repeating: "0", count: 64)],
    ] {
      let run = try fixture.call(["provenance"] + unknown)
      #expect(run.exitCode == 1)
      #expect(run.outputText.isEmpty && run.errorText.contains("nothing is known"))
    }
    for wrong in [[], [output.displayText, "--sha256", digest], ["--sha256", "12"]] {
      #expect(try fixture.call(["provenance"] + wrong).exitCode == 64, "\(wrong)")
    }
  }
}
