internal import DNGFormat
internal import Diagnostics
internal import Raster
internal import RawDecoding
internal import RawModel
internal import TestSupport
import Testing

@Suite("What a file is, by its content")
struct RawContentTests {
  private static let heads: [(String, [UInt8], String, RawContent)] = [
    ("", [], "", .empty),
    ("", [0], "", .unknown),
    ("II", [], "", .unknown),
    ("", [0xFF, 0xD8, 0xFF, 0xE1], "", .jpeg),
    ("II", [0x1A, 0, 0, 0], "HEAPCCDR", .otherRaw("Canon CRW")),
    ("FUJIFILMCCD-RAW 0201", [], "", .otherRaw("Fujifilm RAF")),
    ("", [0, 0, 0, 24], "ftypcrx ", .otherRaw("Canon CR3")),
    ("", [0, 0, 0, 24], "ftypheic", .otherImage("HEIF")),
    ("", [0x89], "PNG", .otherImage("PNG")),
    ("II", [0x55, 0, 0x18, 0, 0, 0], "", .otherRaw("Panasonic RW2")),
    ("IIRO", [8, 0, 0, 0], "", .otherRaw("Olympus ORF")),
    ("II", [42, 0, 0xFF, 0xFF, 0xFF, 0xFF], "", .unknown),
    ("", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "", .unknown),
  ]

  @Test("The first bytes tell", arguments: heads.indices)
  func magic(index: Int) {
    let (start, middle, end, content) = Self.heads[index]
    #expect(RawContent.classify(Array(start.utf8) + middle + Array(end.utf8)) == content)
  }

  /// A TIFF of one IFD with these tags, each a text.
  private static func tiff(_ texts: [(Int, String)]) -> [UInt8] {
    var bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    func append(_ value: Int, _ size: Int) {
      bytes += (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    append(texts.count, 2)
    var place = 8 + 2 + 12 * texts.count + 4
    for (tag, text) in texts {
      append(tag, 2)
      append(2, 2)
      append(text.utf8.count, 4)
      append(place, 4)
      place += text.utf8.count
    }
    append(0, 4)
    for (_, text) in texts { bytes += Array(text.utf8) }
    return bytes
  }

  @Test("TIFFs are told by DNGVersion and by the maker of a raw")
  func tiffs() {
    #expect(RawContent.classify(Self.tiff([(50_706, "12345")])) == .dng)
    #expect(
      RawContent.classify(Self.tiff([(271, "NIKON CORPORATION"), (330, "12345")]))
        == .otherRaw("Nikon NEF")
    )
    #expect(RawContent.classify(Self.tiff([(271, "NIKON CORPORATION")])) == .tiff)
    #expect(RawContent.classify(Self.tiff([(271, "Nobody"), (330, "12345")])) == .tiff)
    #expect(RawContent.classify(Self.tiff([(305, "A program")])) == .tiff)
    #expect(RawContent.dng.isRaw && RawContent.otherRaw("").isRaw && !RawContent.tiff.isRaw)
  }

  @Test("Classification reads the header and IFD 0, no more")
  func reads() {
    let bytes = Self.tiff([(50_706, "12345")]) + Array(repeating: 0, count: 100_000)
    var byteCount = 0
    let content = RawContent.classify(fileSize: bytes.count) { offset, count in
      byteCount += count
      return Array(bytes[offset..<offset + count])
    }
    #expect(content == .dng)
    #expect(byteCount < 100)
    // A file that became shorter in the meantime is no error.
    #expect(
      RawContent.classify(fileSize: bytes.count) { offset, count in
        offset == 0 ? Array(bytes[0..<count]) : []
      } == .unknown
    )
  }

  @Test("Each error has its slug and says what the file is")
  func errors() {
    let table: [(RawDecodeError, ErrorCode)] = [
      (.dng(.notDNG), "notDNG"), (.unsupportedRaw("Canon CRW"), "unsupportedRaw"),
      (.notRaw("JPEG"), "notRaw"), (.emptyFile, "emptyFile"), (.unknownFormat, "unknownFormat"),
    ]
    for (error, code) in table {
      #expect(error.code == code)
      #expect(error.disposition == .permanent)
    }
    #expect(
      RawDecodeError.unsupportedRaw("Canon CRW").message
        == "the file is a Canon CRW; only DNG is supported yet"
    )
    #expect(
      RawDecodeError.dng(.raster(.allocationRefused(bytes: 1, limit: 0))).disposition == .resource
    )
  }

  private static func failure(_ bytes: [UInt8]) -> RawDecodeError? {
    do throws(RawDecodeError) {
      _ = try RawDecoder.decode(bytes, scheduler: TileScheduler(laneCount: 1))
      return nil
    } catch {
      return error
    }
  }

  @Test("What is no DNG is refused by its kind")
  func refused() {
    #expect(Self.failure([0xFF, 0xD8, 0xFF, 0xE1]) == .notRaw("JPEG"))
    #expect(Self.failure([]) == .emptyFile)
    #expect(Self.failure(Array("hello world".utf8)) == .unknownFormat)
    #expect(Self.failure(Self.tiff([(305, "x")])) == .notRaw("plain TIFF (no DNGVersion)"))
    #expect(Self.failure(Array("II*\0".utf8) + [8, 0, 0, 0])?.code == "ifdOutsideFile")
  }

  @Test(
    "The corpus' files are what they are",
    .enabled(if: Corpus.isAvailable, Corpus.missingComment)
  )
  func corpus() throws {
    #expect(try Self.failure(Corpus.bytes("other/evano_CRW.CRW")) == .unsupportedRaw("Canon CRW"))
    #expect(
      try Self.failure(Corpus.bytes("other/RAW_KODAK_DC50.KDC")) == .unsupportedRaw("Kodak raw")
    )
    #expect(
      try Self.failure(Corpus.bytes("other/d1339_768x512_rggb_u16le.raw")) == .unknownFormat
    )
    for path in [
      "edge/tff_bigtiff.dng", "edge/tff_bigendian_strips.dng", "photos/hero8_lossless.dng",
    ] {
      #expect(try RawContent.classify(Corpus.bytes(path)) == .dng)
    }
    for folder in ["mutated", "tiff"] {
      for name in try Corpus.names("malformed/\(folder)") {
        #expect(try Self.failure(Corpus.bytes("malformed/\(folder)/\(name)")) != nil, "\(name)")
      }
    }
    let frame = try RawDecoder.decode(
      Corpus.bytes("edge/tff_2x2.dng"),
      scheduler: TileScheduler(laneCount: 1)
    )
    #expect(frame.description.size == PixelSize(width: 2, height: 2))
    #expect(
      try RawDecoder.inspect(Corpus.bytes("edge/tff_2x2.dng")).raw.compression == .uncompressed
    )
  }
}
