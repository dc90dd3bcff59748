import Discovery
import FileSystem
import TestSupport
import Testing
import Worker

/// Classification by the real child.
@Suite struct InputScanTests {
  private let folder: TemporaryDirectory
  private let probe = ContentProbe(launch: ChildLaunch(program: BuiltProduct.rawmill))

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func scan(_ paths: [FilePath]? = nil) throws -> InputScan {
    try InputScan(paths ?? [folder.root], probe: probe)
  }

  /// A little-endian TIFF header and an IFD with DNGVersion 1.4.0.0: what tells a DNG.
  private let dng: [UInt8] =
    [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0xC6, 1, 0, 4, 0, 0, 0, 1, 4, 0, 0, 0, 0, 0, 0]
  private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]

  @Test func takesRawsByContentWhateverTheirName() throws {
    try folder.write(dng, to: "a.jpg")
    try folder.write(jpeg, to: "b.dng")
    try folder.write(dng, to: "noExtension")
    try folder.write(Array("text".utf8), to: "notes.txt")
    let scan = try scan()
    #expect(scan.inputs.map(\.relativePath) == ["a.jpg", "noExtension"])
    #expect(scan.skippedCount == 2)
    #expect(scan.problems.isEmpty)
  }

  @Test func damagedRawsDoNotVanish() throws {
    try folder.write([], to: "empty.dng")
    try folder.write(Array(dng.prefix(9)), to: "cut.DNG")
    try folder.write([0, 0, 0, 0], to: "zeros.nef")
    try folder.write([0, 0, 0, 0], to: "zeros.bin")
    let scan = try scan()
    #expect(scan.inputs.map(\.relativePath) == ["cut.DNG", "empty.dng", "zeros.nef"])
    #expect(scan.skippedCount == 1)
  }

  @Test func aFileThatIsNamedIsAnInput() throws {
    let file = try folder.write(jpeg, to: "a.jpg")
    #expect(try scan([file]).inputs.map(\.path) == [file])
  }

  @Test func manyFilesInGroups() throws {
    for index in 0..<120 { try folder.write(index % 2 == 0 ? dng : jpeg, to: "f\(1000 + index)") }
    let scan = try scan()
    #expect(scan.inputs.count == 60)
    #expect(scan.skippedCount == 60)
  }

  @Test func aChildThatDiesCostsOneFileAtATime() throws {
    // A child that dies at every classification.
    let script = #"""
      open(my $s, "+<&=3"); my $h; sysread($s, $h, 8); sysread($s, my $b, unpack("N", $h));
      my $m = '{"type":"hello","version":\#(ChildRequest.version)}'; syswrite($s, pack("NN", length $m, 0) . $m);
      sysread($s, $h, 8); exit 9
      """#
    try folder.write(dng, to: "a")
    try folder.write(dng, to: "b")
    let probe = ContentProbe(
      launch: ChildLaunch(program: "/usr/bin/perl", arguments: ["-e", script])
    )
    let scan = try InputScan([folder.root], probe: probe)
    #expect(scan.inputs.isEmpty)
    #expect(scan.problems.map(\.path) == [folder.path("a"), folder.path("b")])
    #expect(scan.problems.allSatisfy { $0.error.isCrash })
  }

  @Test(.enabled(if: Corpus.isAvailable, Corpus.missingComment))
  func theCorpusPhotosAreRaws() throws {
    let scan = try scan([Corpus.path("photos"), Corpus.path("other")])
    #expect(scan.inputs.count > 10)
    #expect(scan.problems.isEmpty)
  }
}
