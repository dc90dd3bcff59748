import Diagnostics
import TIFFContainer
import Testing

@Suite struct TIFFWriterTests {
  /// One SHORT, one LONG and one value out of line, byte for byte (TIFF 6.0 section 2).
  @Test func closedFormLittleEndian() throws {
    var ifd = IFDBuilder()
    ifd.set(.imageLength, long: 0x0102_0304)
    ifd.set(.make, ascii: "rawmill")
    ifd.set(.imageWidth, short: 0x1234)
    let bytes = try TIFFWriter.serialize([ifd])
    let expected: [UInt8] = [
      0x49, 0x49, 42, 0, 8, 0, 0, 0,
      3, 0,
      0x00, 0x01, 3, 0, 1, 0, 0, 0, 0x34, 0x12, 0, 0,
      0x01, 0x01, 4, 0, 1, 0, 0, 0, 0x04, 0x03, 0x02, 0x01,
      0x0F, 0x01, 2, 0, 8, 0, 0, 0, 50, 0, 0, 0,
      0, 0, 0, 0,
      0x72, 0x61, 0x77, 0x6D, 0x69, 0x6C, 0x6C, 0,
    ]
    #expect(bytes == expected)
  }

  @Test func closedFormBigEndian() throws {
    var ifd = IFDBuilder()
    ifd.set(.imageLength, long: 0x0102_0304)
    ifd.set(.xResolution, rationals: [TIFFRational(300, 2)])
    ifd.set(.imageWidth, short: 0x1234)
    let bytes = try TIFFWriter.serialize([ifd], byteOrder: .bigEndian)
    let expected: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8,
      0, 3,
      0x01, 0x00, 0, 3, 0, 0, 0, 1, 0x12, 0x34, 0, 0,
      0x01, 0x01, 0, 4, 0, 0, 0, 1, 0x01, 0x02, 0x03, 0x04,
      0x01, 0x1A, 0, 5, 0, 0, 0, 1, 0, 0, 0, 50,
      0, 0, 0, 0,
      0, 0, 1, 44, 0, 0, 0, 2,
    ]
    #expect(bytes == expected)
  }

  @Test func nestedDirectoriesAndChain() throws {
    var gps = IFDBuilder()
    gps.set(.gpsVersionID, bytes: [2, 3, 0, 0])
    var exif = IFDBuilder()
    exif.set(.exifVersion, undefined: Array("0232".utf8))
    var child = IFDBuilder()
    child.set(.imageWidth, short: 7)
    var other = child
    other.set(.imageWidth, short: 9)
    var root = IFDBuilder()
    root.set(.exifIFD, directories: [exif])
    root.set(.gpsIFD, directories: [gps])
    root.set(.subIFDs, directories: [child, IFDBuilder(), other])
    let bytes = try TIFFWriter.serialize([root, child])
    let walk = RawIFD(bytes, at: number(bytes, 4, 4))
    #expect(walk.tags == [330, 34665, 34853])
    let subIFDs = try #require(walk.values(330))
    #expect(subIFDs.count == 2)
    #expect(RawIFD(bytes, at: subIFDs[0]).values(256) == [7])
    #expect(RawIFD(bytes, at: subIFDs[1]).values(256) == [9])
    let exifOffset = try #require(walk.values(34665)?.first)
    #expect(RawIFD(bytes, at: exifOffset).tags == [36864])
    let next = RawIFD(bytes, at: walk.next)
    #expect(next.values(256) == [7])
    #expect(next.next == 0)
  }

  @Test func emptyDirectoriesAreNotWritten() {
    var root = IFDBuilder()
    root.set(.exifIFD, directories: [IFDBuilder()])
    #expect(root.isEmpty)
  }

  @Test(arguments: [TIFFByteOrder.littleEndian, .bigEndian])
  func segmentsAreAlignedAndListed(byteOrder: TIFFByteOrder) throws {
    var root = IFDBuilder()
    root.set(.make, ascii: "odd length")
    root.setImageData(
      offsets: .tileOffsets,
      byteCounts: .tileByteCounts,
      segmentByteCounts: [5, 16, 1]
    )
    let layout = try TIFFWriter.layOut([root], byteOrder: byteOrder)
    #expect(layout.segmentOffsets.allSatisfy { $0 % 16 == 0 })
    #expect(layout.structure.count == layout.segmentOffsets[0])
    #expect(layout.segmentOffsets[1] - layout.segmentOffsets[0] == 16)
    #expect(layout.segmentOffsets[2] - layout.segmentOffsets[1] == 16)
    #expect(layout.byteCount == layout.segmentOffsets[2] + 1)
    if byteOrder == .littleEndian {
      let walk = RawIFD(layout.structure, at: number(layout.structure, 4, 4))
      #expect(walk.values(324) == layout.segmentOffsets)
      #expect(walk.values(325) == [5, 16, 1])
    }
  }

  @Test func fileOverFourGibibytesIsRefused() throws {
    var root = IFDBuilder()
    root.setImageData(
      offsets: .stripOffsets,
      byteCounts: .stripByteCounts,
      segmentByteCounts: [Int(UInt32.max) - 47]
    )
    // Two entries end at byte 38, so the segment starts at 48.
    let limit = Int(UInt32.max)
    #expect(throws: TIFFWritingError.fileTooLarge(byteCount: limit + 1, limit: limit)) {
      try TIFFWriter.layOut([root])
    }
    root.setImageData(
      offsets: .stripOffsets,
      byteCounts: .stripByteCounts,
      segmentByteCounts: [.max]
    )
    #expect(throws: TIFFWritingError.fileTooLarge(byteCount: .max, limit: Int(UInt32.max))) {
      try TIFFWriter.layOut([root])
    }
    root.setImageData(
      offsets: .stripOffsets,
      byteCounts: .stripByteCounts,
      segmentByteCounts: [Int(UInt32.max) - 48]
    )
    let layout = try TIFFWriter.layOut([root])
    #expect(layout.byteCount == limit)
  }

  @Test func entriesOfEveryTypeKeepTheirBytes() throws {
    for type in TIFFFieldType.allCases {
      let value = (0..<UInt8(type.byteCount * 3)).map { $0 &* 37 &+ 11 }
      var little = IFDBuilder()
      little.set(TIFFTag(rawValue: 60_000), type: type, bytes: value)
      let bytes = try TIFFWriter.serialize([little])
      let offset = value.count > 4 ? number(bytes, 18, 4) : 18
      #expect(Array(bytes[offset..<offset + value.count]) == value, "\(type)")
      // Big-endian bytes in, big-endian file out: nothing turns.
      var big = IFDBuilder()
      big.set(TIFFTag(rawValue: 60_000), type: type, bytes: value, byteOrder: .bigEndian)
      let bigBytes = try TIFFWriter.serialize([big], byteOrder: .bigEndian)
      #expect(Array(bigBytes[offset..<offset + value.count]) == value, "\(type)")
    }
  }

  @Test func textEndsAtItsFirstNUL() throws {
    var ifd = IFDBuilder()
    ifd.set(.software, ascii: "abc\0def")
    let bytes = try TIFFWriter.serialize([ifd])
    #expect(Array(bytes[18..<22]) == Array("abc\0".utf8))
  }

  @Test func rationalsRoundAndClamp() {
    #expect(TIFFRational(rounding: 0.33335, denominator: 10_000) == TIFFRational(3334, 10_000))
    #expect(TIFFRational(rounding: -1, denominator: 10) == TIFFRational(0, 10))
    #expect(TIFFRational(rounding: .nan, denominator: 10) == TIFFRational(0, 10))
    #expect(
      TIFFSignedRational(rounding: -.infinity, denominator: 10)
        == TIFFSignedRational(.min, 10)
    )
    #expect(
      TIFFSignedRational(rounding: -0.12345, denominator: 10_000)
        == TIFFSignedRational(-1235, 10_000)
    )
  }

  @Test func errorTable() {
    let error = TIFFWritingError.fileTooLarge(byteCount: 5, limit: 4)
    #expect(error.code == "fileTooLarge")
    #expect(error.disposition == .permanent)
    #expect(error.message.contains("5 bytes"))
  }
}

/// A little-endian number of the bytes.
private func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
  (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
}

/// An IFD of little-endian bytes, read without the module's own reader.
private struct RawIFD {
  let bytes: [UInt8]
  let offset: Int

  init(_ bytes: [UInt8], at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  var count: Int { number(bytes, offset, 2) }
  var tags: [Int] { (0..<count).map { number(bytes, offset + 2 + 12 * $0, 2) } }
  var next: Int { number(bytes, offset + 2 + 12 * count, 4) }

  /// SHORT and LONG values of a tag.
  func values(_ tag: Int) -> [Int]? {
    guard let index = tags.firstIndex(of: tag) else { return nil }
    let entry = offset + 2 + 12 * index
    let width = number(bytes, entry + 2, 2) == 3 ? 2 : 4
    let count = number(bytes, entry + 4, 4)
    let start = count * width > 4 ? number(bytes, entry + 8, 4) : entry + 8
    return (0..<count).map { number(bytes, start + $0 * width, width) }
  }
}
