internal import Diagnostics
internal import TIFFContainer
import Testing

/// Bytes of TIFF structures, written by hand so that they may be as broken as a test needs.
private struct RawTIFF {
  let isBigEndian: Bool
  var bytes: [UInt8]

  init(isBigEndian: Bool = false, firstDirectory: Int = 8) {
    self.isBigEndian = isBigEndian
    bytes = Array((isBigEndian ? "MM" : "II").utf8)
    append(42, size: 2)
    append(firstDirectory, size: 4)
  }

  mutating func append(_ value: Int, size: Int) {
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    bytes += isBigEndian ? little.reversed() : little
  }

  /// An IFD of classic entries (tag, type, count, value field) and its link.
  mutating func directory(_ entries: [(Int, Int, Int, Int)], next: Int = 0) {
    append(entries.count, size: 2)
    for (tag, type, count, value) in entries {
      append(tag, size: 2)
      append(type, size: 2)
      append(count, size: 4)
      append(value, size: 4)
    }
    append(next, size: 4)
  }

  func first() throws -> TIFFDirectory {
    let file = try TIFFFile(bytes)
    return try file.directory(at: file.firstDirectoryOffset, named: "IFD 0")
  }
}

@Suite("Reading TIFF structures")
struct TIFFReadingTests {
  private static let orders: [TIFFByteOrder] = [.littleEndian, .bigEndian]

  @Test("Values of all types come back in both byte orders", arguments: orders)
  func allTypes(order: TIFFByteOrder) throws {
    var builder = IFDBuilder()
    builder.set(.imageWidth, short: 60_000)
    builder.set(.imageLength, long: 4_000_000_000)
    builder.set(.bitsPerSample, shorts: [12, 13, 14])
    builder.set(.make, ascii: "  Maker ")
    builder.set(.dngVersion, bytes: [1, 4, 0, 0])
    builder.set(.whiteLevel, rationals: [TIFFRational(7, 2)])
    builder.set(.colorMatrix1, signedRationals: [TIFFSignedRational(-3, 4)])
    builder.set(.noiseProfile, doubles: [0.25, -8])
    builder.set(.jxlDistance, floats: [1.5])
    let file = try TIFFFile(try TIFFWriter.serialize([builder], byteOrder: order))
    #expect(file.byteOrder == order)
    #expect(!file.isBigTIFF)
    let directory = try #require(try file.imageDirectories().first)
    #expect(try directory.integer(.imageWidth) == 60_000)
    #expect(try directory.integer(.imageLength) == 4_000_000_000)
    #expect(try directory.integers(.bitsPerSample, count: 1...3) == [12, 13, 14])
    #expect(try directory.text(.make) == "Maker")
    #expect(try directory.bytes(.dngVersion, limit: 4) == [1, 4, 0, 0])
    #expect(try directory.numbers(.whiteLevel, count: 1...1) == [3.5])
    #expect(try directory.number(.colorMatrix1) == -0.75)
    #expect(try directory.numbers(.noiseProfile, count: 2...2) == [0.25, -8])
    #expect(try directory.number(.jxlDistance) == 1.5)
    #expect(try directory.integer(.compression) == nil)
    #expect(throws: TIFFReadError.missingTag(directory.site(.compression))) {
      try directory.requiredInteger(.compression)
    }
    try directory.checkValuesInFile()
  }

  @Test("Signed types keep their sign")
  func signed() throws {
    var tiff = RawTIFF()
    tiff.directory([(1000, 6, 1, 0xFF), (1001, 8, 1, 0xFFFE), (1002, 9, 1, 0xFFFF_FFFD)])
    let directory = try tiff.first()
    let values = try (1000...1002).map { try directory.integer(TIFFTag(rawValue: $0)) }
    #expect(values == [-1, -2, -3])
  }

  @Test("A BigTIFF has 8-byte counts and offsets", arguments: orders)
  func bigTIFF(order: TIFFByteOrder) throws {
    var tiff = RawTIFF(isBigEndian: order == .bigEndian)
    tiff.bytes.removeLast(6)
    tiff.append(43, size: 2)
    tiff.append(8, size: 2)
    tiff.append(0, size: 2)
    tiff.append(16, size: 8)
    tiff.append(2, size: 8)
    for (tag, type, count, value) in [(256, 16, 1, 1 << 40), (258, 3, 5, 72)] {
      tiff.append(tag, size: 2)
      tiff.append(type, size: 2)
      tiff.append(count, size: 8)
      tiff.append(value, size: 8)
    }
    tiff.append(0, size: 8)
    #expect(tiff.bytes.count == 72)
    for value in 1...5 { tiff.append(value, size: 2) }
    let file = try TIFFFile(tiff.bytes)
    #expect(file.isBigTIFF)
    let directory = try file.directory(at: file.firstDirectoryOffset, named: "IFD 0")
    #expect(try directory.integer(.imageWidth) == 1 << 40)
    #expect(try directory.integers(.bitsPerSample, count: 1...9) == [1, 2, 3, 4, 5])
    #expect(directory.entries.map(\.isInline) == [true, false])
  }

  @Test("Entries may stand in any order; one that is asked for only once")
  func orderAndDuplicates() throws {
    var tiff = RawTIFF()
    tiff.directory([(257, 3, 1, 2), (256, 3, 1, 1), (258, 3, 1, 8), (258, 3, 1, 8)])
    let directory = try tiff.first()
    #expect(try directory.integer(.imageWidth) == 1)
    #expect(try directory.integer(.imageLength) == 2)
    #expect(throws: TIFFReadError.duplicateTag(directory.site(.bitsPerSample))) {
      try directory.integer(.bitsPerSample)
    }
  }

  @Test("Counts and types are checked with the tag's name")
  func countsAndTypes() throws {
    var tiff = RawTIFF()
    tiff.directory([
      (256, 3, 2, 1), (257, 2, 1, 65), (258, 77, 1, 0), (259, 4, 0x7FFF_FFFF, 8),
      (277, 4, 0xFFFF_FFFF, 0xFFFF_FFF0), (282, 5, 1, 8),
    ])
    let directory = try tiff.first()
    func site(_ tag: TIFFTag) -> TIFFTagSite { directory.site(tag) }
    #expect(throws: TIFFReadError.wrongCount(site(.imageWidth), count: 2, expected: "1")) {
      try directory.integer(.imageWidth)
    }
    #expect(throws: TIFFReadError.wrongType(site(.imageLength), storedType: 2)) {
      try directory.integer(.imageLength)
    }
    #expect(throws: TIFFReadError.wrongType(site(.bitsPerSample), storedType: 77)) {
      try directory.integer(.bitsPerSample)
    }
    #expect(
      throws: TIFFReadError.tooManyValues(site(.compression), count: 0x7FFF_FFFF, limit: 1000)
    ) {
      try directory.integers(.compression, count: 1...1000)
    }
    #expect(
      throws: TIFFReadError.valueOutsideFile(
        site(.samplesPerPixel),
        offset: 0xFFFF_FFF0,
        byteCount: 4 * 0xFFFF_FFFF,
        fileSize: tiff.bytes.count
      )
    ) {
      try directory.integers(.samplesPerPixel, count: 1...Int.max)
    }
    #expect(throws: TIFFReadError.self) { try directory.checkValuesInFile() }
    #expect("\(site(.imageWidth))" == "ImageWidth (256) in IFD 0")
  }

  @Test("A fraction over 0 and a number out of range are no values")
  func invalidValues() throws {
    var builder = IFDBuilder()
    builder.set(.whiteLevel, rationals: [TIFFRational(1, 0)])
    builder.set(.noiseProfile, doubles: [.nan])
    builder.set(.orientation, short: 9)
    let file = try TIFFFile(try TIFFWriter.serialize([builder]))
    let directory = try #require(try file.imageDirectories().first)
    for tag in [TIFFTag.whiteLevel, .noiseProfile] {
      #expect(throws: TIFFReadError.self) { try directory.number(tag) }
    }
    #expect(
      throws: TIFFReadError.invalidValue(
        directory.site(.orientation),
        value: "9",
        expected: "1 to 8"
      )
    ) { try directory.integer(.orientation, in: 1...8) }
  }

  @Test("SubIFDs follow their parent, the chain goes on after them")
  func subIFDs() throws {
    var tiff = RawTIFF()
    // IFD 0 at 8 (1 entry, 18 bytes), its SubIFDs at 26 and 44, IFD 1 at 62.
    tiff.bytes = Array(tiff.bytes.prefix(8))
    tiff.directory([(330, 4, 2, 80)], next: 62)
    tiff.directory([(256, 3, 1, 10)])
    tiff.directory([(256, 3, 1, 11)])
    tiff.directory([(256, 3, 1, 12)])
    tiff.append(26, size: 4)
    tiff.append(44, size: 4)
    let directories = try TIFFFile(tiff.bytes).imageDirectories()
    #expect(
      directories.map(\.name) == ["IFD 0", "SubIFD 0 of IFD 0", "SubIFD 1 of IFD 0", "IFD 1"]
    )
    #expect(try directories.dropFirst().map { try $0.integer(.imageWidth) } == [10, 11, 12])
  }

  @Test("Loops end: of the chain, of SubIFDs, of an Exif pointer")
  func loops() throws {
    var chain = RawTIFF()
    chain.directory([(256, 3, 1, 1)], next: 8)
    #expect(throws: TIFFReadError.directoryLoop(directory: "IFD 0", offset: 8)) {
      try TIFFFile(chain.bytes).imageDirectories()
    }
    var child = RawTIFF()
    child.directory([(330, 4, 1, 8)])
    #expect(throws: TIFFReadError.directoryLoop(directory: "IFD 0", offset: 8)) {
      try TIFFFile(child.bytes).imageDirectories()
    }
    var exif = RawTIFF()
    exif.directory([(34_665, 4, 1, 8)])
    let directory = try exif.first()
    #expect(throws: TIFFReadError.directoryLoop(directory: "IFD 0", offset: 8)) {
      try TIFFFile(exif.bytes).directory(.exifIFD, of: directory, named: "Exif IFD")
    }
  }

  @Test("Long chains and deep nests end at the limits")
  func limits() throws {
    var chain = RawTIFF()
    for index in 0..<300 { chain.directory([(256, 3, 1, 1)], next: 8 + 18 * (index + 1)) }
    #expect(throws: TIFFReadError.tooManyDirectories(limit: 256)) {
      try TIFFFile(chain.bytes).imageDirectories()
    }
    var nest = RawTIFF()
    for index in 0..<20 { nest.directory([(330, 4, 1, 8 + 18 * (index + 1))]) }
    nest.directory([(256, 3, 1, 1)])
    let error = #expect(throws: TIFFReadError.self) {
      try TIFFFile(nest.bytes).imageDirectories()
    }
    guard case .directoriesTooDeep(_, 8) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    var wide = RawTIFF()
    wide.append(0xFFFF, size: 2)
    #expect(
      throws: TIFFReadError.tooManyEntries(directory: "IFD 0", count: 0xFFFF, limit: 4096)
    ) { try wide.first() }
  }

  @Test("Headers that are none")
  func headers() {
    #expect(throws: TIFFReadError.notTIFF) { try TIFFFile([]) }
    #expect(throws: TIFFReadError.notTIFF) { try TIFFFile(Array("IM*\0".utf8)) }
    #expect(throws: TIFFReadError.truncatedHeader(fileSize: 6)) {
      try TIFFFile(Array("II*\0\0\0".utf8))
    }
    #expect(throws: TIFFReadError.notTIFF) { try TIFFFile([0x49, 0x49, 41, 0, 8, 0, 0, 0]) }
    #expect(throws: TIFFReadError.bigTIFFOffsetSize(4)) {
      try TIFFFile([0x49, 0x49, 43, 0, 4, 0] + Array(repeating: 0, count: 10))
    }
    #expect(throws: TIFFReadError.truncatedHeader(fileSize: 8)) {
      try TIFFFile([0x49, 0x49, 43, 0, 8, 0, 0, 0])
    }
  }

  @Test("An IFD must lie within the file and have entries")
  func directoryPlace() {
    for offset in [0, 4, 9, 1000, 0xFFFF_FFFF] {
      var tiff = RawTIFF(firstDirectory: offset)
      tiff.append(0, size: 2)
      #expect(throws: TIFFReadError.self) { try tiff.first() }
    }
    var empty = RawTIFF()
    empty.directory([])
    #expect(throws: TIFFReadError.emptyDirectory(directory: "IFD 0")) { try empty.first() }
  }

  @Test("Each error has its slug and is permanent")
  func errorTable() {
    let site = TIFFTagSite(tag: .make, directory: "IFD 0")
    let table: [(TIFFReadError, ErrorCode)] = [
      (.notTIFF, "notTIFF"),
      (.truncatedHeader(fileSize: 1), "tiffTruncatedHeader"),
      (.bigTIFFOffsetSize(4), "tiffOffsetSize"),
      (.directoryOutsideFile(directory: "IFD 0", offset: 9, fileSize: 1), "ifdOutsideFile"),
      (.emptyDirectory(directory: "IFD 0"), "ifdEmpty"),
      (.directoryLoop(directory: "IFD 0", offset: 8), "ifdLoop"),
      (.tooManyDirectories(limit: 1), "ifdTooMany"),
      (.tooManyEntries(directory: "IFD 0", count: 2, limit: 1), "ifdTooManyEntries"),
      (.directoriesTooDeep(directory: "IFD 0", limit: 1), "ifdTooDeep"),
      (.missingTag(site), "tagMissing"),
      (.duplicateTag(site), "tagDuplicate"),
      (.wrongType(site, storedType: 1), "tagWrongType"),
      (.wrongCount(site, count: 2, expected: "1"), "tagWrongCount"),
      (.tooManyValues(site, count: 2, limit: 1), "tagTooManyValues"),
      (
        .valueOutsideFile(site, offset: 1, byteCount: 2, fileSize: 1), "tagValueOutsideFile"
      ),
      (.invalidValue(site, value: "1", expected: "2"), "tagInvalidValue"),
    ]
    for (error, code) in table {
      #expect(error.code == code)
      #expect(error.disposition == .permanent)
      #expect(!error.message.isEmpty)
    }
  }
}
