import DNGFormat
import Raster
import RawModel
import TIFFContainer
import Testing

/// What a DNG holds beside its samples, in files that are made by hand: previews, masks, maker notes,
/// embedded profiles, tags that nobody knows.
@Suite struct DNGKeptContentTests {
  private static let unknown = TIFFTag(rawValue: 65_123)
  private static let note: [UInt8] = Array("Maker\0with offsets into the file".utf8)
  private let scheduler = TileScheduler(laneCount: 2)

  /// A preview in IFD 0; below it the raw, a preview and a mask; Exif with a maker note.
  private func source(
    byteOrder: TIFFByteOrder = .littleEndian,
    noteOffset: Int? = nil,
    isNoteSafe: Bool = false,
    hasPrivateData: Bool = false
  ) throws -> [UInt8] {
    var handmade = HandmadeDNG(width: 64, height: 48)
    handmade.byteOrder = byteOrder
    var raw = handmade.main
    var main = IFDBuilder()
    for tag in [
      TIFFTag.dngVersion, .orientation, .uniqueCameraModel, .colorMatrix1, .asShotNeutral,
    ] {
      raw.remove(tag)
    }
    main.set(.dngVersion, bytes: [1, 6, 0, 0])
    main.set(.orientation, short: 6)
    main.set(.uniqueCameraModel, ascii: "Handmade")
    main.set(
      .colorMatrix1,
      signedRationals: [1, 0, 0, 0, 1, 0, 0, 0, 1].map { TIFFSignedRational($0, 1) }
    )
    main.set(.asShotNeutral, rationals: (0..<3).map { _ in TIFFRational(1, 1) })
    main.set(.dateTime, ascii: "2021:02:03 04:05:06")
    main.set(.software, ascii: "camera 1.0")
    main.set(.cacheBlob, undefined: [1, 2, 3, 4, 5])
    main.set(Self.unknown, shorts: [1, 2, 3])
    main.set(.previewApplicationName, ascii: "camera")
    if isNoteSafe { main.set(.makerNoteSafety, short: 1) }
    if hasPrivateData { main.set(.dngPrivateData, bytes: Array("Camera\0private".utf8)) }
    main.merge(Self.image(kind: 1, data: [9, 9, 9, 9]))
    raw.setImageData(
      offsets: .stripOffsets,
      byteCounts: .stripByteCounts,
      segments: [
        (0..<64 * 48).flatMap { index -> [UInt8] in
          let sample = UInt16(index % 4096)
          let bytes = [UInt8(truncatingIfNeeded: sample), UInt8(sample >> 8)]
          return byteOrder == .littleEndian ? bytes : bytes.reversed()
        }
      ]
    )
    raw.set(Self.unknown, longs: [70_000])
    raw.set(.opcodeList3, undefined: [0, 0, 0, 0])
    var mask = Self.image(kind: 65_540, data: [5, 6, 7])
    mask.set(.semanticName, ascii: "sky")
    main.set(.subIFDs, directories: [raw, Self.image(kind: 1, data: [8, 8]), mask])
    var exif = IFDBuilder()
    exif.set(.exifVersion, undefined: Array("0231".utf8))
    if let noteOffset {
      exif.set(.makerNote, undefined: Self.note, at: noteOffset)
    } else {
      exif.set(.makerNote, undefined: Self.note)
    }
    main.set(.exifIFD, directories: [exif])
    return try TIFFWriter.layOut([main], byteOrder: byteOrder).assembled()
  }

  /// An image of one strip.
  private static func image(kind: UInt32, data: [UInt8]) -> IFDBuilder {
    var image = IFDBuilder()
    image.set(.newSubFileType, long: kind)
    image.set(.imageWidth, long: 2)
    image.set(.imageLength, long: 1)
    image.set(.bitsPerSample, short: 8)
    image.set(.compression, short: 7)
    image.set(.photometricInterpretation, short: kind == 1 ? 6 : 52_527)
    image.set(.samplesPerPixel, short: 1)
    image.setImageData(offsets: .stripOffsets, byteCounts: .stripByteCounts, segments: [data])
    return image
  }

  private func rewritten(_ bytes: [UInt8], _ previews: DNGPreviews = .kept) throws -> DNGOutput {
    try DNGWriter.write(
      DNGReader.read(bytes, scheduler: scheduler),
      keeping: DNGOriginal(bytes),
      settings: DNGOutputSettings(software: "rawmill tests", originalFileName: "naïve.dng"),
      previews: previews,
      scheduler: scheduler
    )
  }

  private func directories(_ bytes: [UInt8]) throws -> [TIFFDirectory] {
    try TIFFFile(bytes).imageDirectories()
  }

  /// The bytes of a directory's only strip.
  private func strip(_ directory: TIFFDirectory, of bytes: [UInt8]) throws -> [UInt8] {
    let offset = try #require(try directory.integer(.stripOffsets))
    let count = try #require(try directory.integer(.stripByteCounts))
    return Array(bytes[offset..<offset + count])
  }

  @Test(arguments: [TIFFByteOrder.littleEndian, .bigEndian])
  func everythingIsKept(byteOrder: TIFFByteOrder) throws {
    let source = try source(byteOrder: byteOrder)
    let output = try rewritten(source)
    let bytes = output.bytes()
    let found = try directories(bytes)
    #expect(try TIFFFile(bytes).byteOrder == byteOrder)
    #expect(found.map(\.name) == (try directories(source)).map(\.name))
    let main = found[0]
    #expect(try main.integers(Self.unknown, count: 1...9) == [1, 2, 3])
    #expect(try main.text(.dateTime) == "2021:02:03 04:05:06")
    #expect(try main.text(.software) == "rawmill tests")
    #expect(try main.text(.previewApplicationName) == "camera")
    #expect(try main.integer(.orientation) == 6)
    #expect(!main.has(.cacheBlob))
    #expect(try main.bytes(.originalRawFileName, limit: 99) == Array("naïve.dng\0".utf8))
    #expect(try strip(main, of: bytes) == [9, 9, 9, 9])
    #expect(try found[1].integer(Self.unknown) == 70_000)
    #expect(try found[1].bytes(.opcodeList3, limit: 99) == [0, 0, 0, 0])
    #expect(try found[1].integer(.whiteLevel) == 65_535)
    #expect(try strip(found[2], of: bytes) == [8, 8])
    #expect(try strip(found[3], of: bytes) == [5, 6, 7])
    #expect(try found[3].text(.semanticName) == "sky")
    // A mask's tags are of 1.6; nothing needs a reader newer than 1.2, which knows interleaved rows.
    #expect(try main.integers(.dngVersion, count: 4...4) == [1, 6, 0, 0])
    #expect(try main.integers(.dngBackwardVersion, count: 4...4) == [1, 1, 0, 0])
    let entries = main.entries.map(\.tag)
    #expect(entries == entries.sorted())
  }

  @Test func withoutPreviewsTheRawIsInTheFirstDirectory() throws {
    let bytes = try rewritten(source(), .none).bytes()
    let found = try directories(bytes)
    #expect(found.map(\.name) == ["IFD 0", "SubIFD 0 of IFD 0"])
    #expect(try found[0].integer(.newSubFileType) == 0)
    #expect(try found[0].integer(.photometricInterpretation) == 32_803)
    #expect(try found[0].integers(Self.unknown, count: 1...9) == [70_000])
    #expect(!found[0].has(.previewApplicationName))
    #expect(try strip(found[1], of: bytes) == [5, 6, 7])
    #expect(try DNGReader.inspect(bytes).rawIndex == 0)
  }

  @Test func renderedPreviewsTakeThePlaceOfOthers() throws {
    func preview(_ side: Int, _ data: [UInt8]) -> DNGPreview {
      DNGPreview(
        size: PixelSize(width: side, height: side),
        jpeg: data,
        subsampling: (2, 2),
        application: "rawmill",
        applicationVersion: "1"
      )
    }
    let previews = DNGPreviews.rendered(thumbnail: preview(2, [1]), others: [preview(4, [2, 3])])
    let bytes = try rewritten(source(), previews).bytes()
    let found = try directories(bytes)
    #expect(try found.map { try $0.integer(.newSubFileType) } == [1, 0, 1, 65_540])
    #expect(try strip(found[0], of: bytes) == [1])
    #expect(try strip(found[2], of: bytes) == [2, 3])
    #expect(try found[0].integers(Self.unknown, count: 1...9) == [1, 2, 3])
    #expect(try found[0].integer(.previewColorSpace) == 2)
    // PreviewColorSpace came with 1.2.
    #expect(try found[0].integers(.dngBackwardVersion, count: 4...4) == [1, 2, 0, 0])
    #expect(try DNGReader.inspect(bytes).rawIndex == 1)
  }

  /// A thumbnail for a file whose raw image is in IFD 0: raw tags go with the image.
  @Test func rawMovesBelowAThumbnail() throws {
    let handmade = HandmadeDNG(width: 64, height: 48)
    let source = try handmade.bytes { $0.set(.noiseProfile, doubles: [1e-4, 1e-6]) }
    let thumbnail = DNGPreview(
      size: PixelSize(width: 4, height: 3),
      jpeg: [1, 2],
      subsampling: (1, 1),
      application: "rawmill",
      applicationVersion: "1"
    )
    let bytes = try rewritten(source, .rendered(thumbnail: thumbnail, others: [])).bytes()
    let found = try directories(bytes)
    #expect(found.count == 2)
    #expect(!found[0].has(.cfaPattern) && !found[0].has(.noiseProfile))
    #expect(found[0].has(.colorMatrix1) && found[0].has(.dngVersion))
    #expect(found[1].has(.cfaPattern) && found[1].has(.noiseProfile))
    #expect(!found[1].has(.colorMatrix1))
    let again = try DNGReader.read(bytes, scheduler: scheduler)
    #expect(again.description.size == PixelSize(width: 64, height: 48))
  }

  @Test func aMakerNoteThatMayHoldOffsetsStaysAtItsOffset() throws {
    for offset in [600, 1501, 4096] {
      let source = try source(noteOffset: offset)
      let output = try rewritten(source)
      #expect(output.report.leftOut.isEmpty)
      let bytes = output.bytes()
      #expect(Array(bytes[offset..<offset + Self.note.count]) == Self.note)
      let exif = try #require(
        try TIFFFile(bytes).directory(.exifIFD, of: directories(bytes)[0], named: "Exif")
      )
      #expect(try exif.bytes(.makerNote, limit: 999) == Self.note)
      #expect(exif.entries.first { $0.tag == .makerNote }?.valueOffset == UInt64(offset))
      #expect(try DNGReader.read(bytes, scheduler: scheduler).description.size.width == 64)
    }
  }

  @Test func aMakerNoteFarBehindTheNewFileGoesIntoPrivateData() throws {
    let far = 400_000
    let bytes = try rewritten(source(noteOffset: far)).bytes()
    #expect(bytes.count < far)
    let main = try directories(bytes)[0]
    let data = try #require(try main.bytes(.dngPrivateData, limit: 999))
    let length = UInt8(Self.note.count + 6)
    let offset: [UInt8] = [0, 6, 0x1A, 0x80]
    let expected = Array("Adobe\0MakN".utf8) + [0, 0, 0, length] + Array("II".utf8) + offset
    #expect(Array(data.prefix(expected.count)) == expected)
    #expect(Array(data.dropFirst(expected.count).prefix(Self.note.count)) == Self.note)
    // Where there is private data already, the report says that the note is gone.
    let full = try rewritten(source(noteOffset: far, hasPrivateData: true))
    #expect(full.report.leftOut.count == 1)
    let kept = try directories(full.bytes())[0].bytes(.dngPrivateData, limit: 99)
    #expect(kept == Array("Camera\0private".utf8))
  }

  @Test func aMakerNoteThatIsSafeIsCopied() throws {
    let output = try rewritten(source(noteOffset: 400_000, isNoteSafe: true))
    let bytes = output.bytes()
    let exif = try #require(
      try TIFFFile(bytes).directory(.exifIFD, of: directories(bytes)[0], named: "Exif")
    )
    #expect(try exif.bytes(.makerNote, limit: 999) == Self.note)
    #expect(output.report.leftOut.isEmpty)
    #expect(bytes.count < 400_000)
  }

  @Test func embeddedProfilesAreLaidOutAnew() throws {
    var profile = IFDBuilder()
    profile.set(.profileName, ascii: "A profile with a long name")
    profile.set(.profileToneCurve, floats: [0, 0, 1, 1])
    var block = try TIFFWriter.serialize([profile], byteOrder: .bigEndian)
    block.replaceSubrange(2..<4, with: [0x43, 0x52])
    let source = try HandmadeDNG(width: 64, height: 48).bytes {
      $0.set(.extraCameraProfiles, blocks: [block])
    }
    let bytes = try rewritten(source).bytes()
    let offset = try #require(try directories(bytes)[0].integer(.extraCameraProfiles))
    #expect(Array(bytes[offset..<offset + block.count]) == block)
    let damaged = try HandmadeDNG(width: 64, height: 48).bytes {
      $0.set(.extraCameraProfiles, longs: [4_000_000])
    }
    #expect(throws: DNGReadError.self) { try DNGOriginal(damaged) }
  }

  @Test func anImageOutsideTheFileIsRefused() throws {
    var source = try source()
    // The mask's strip is the file's last bytes.
    source.removeLast(2)
    #expect(throws: DNGReadError.self) { try DNGOriginal(source) }
  }

  @Test("A directory of which nothing can be kept is left out")
  func emptyDirectory() throws {
    var bytes = try HandmadeDNG().bytes()
    let first = Int(bytes[4]) | Int(bytes[5]) << 8
    let link = first + 2 + 12 * (Int(bytes[first]) | Int(bytes[first + 1]) << 8)
    if bytes.count % 2 == 1 { bytes.append(0) }
    for index in 0..<4 {
      bytes[link + index] = UInt8(truncatingIfNeeded: bytes.count >> (8 * index))
    }
    // One entry without values: number 65,000, SHORT, count 0; no next directory.
    bytes += [1, 0, 0xE8, 0xFD, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0]
    #expect(try DNGReader.inspect(bytes).images.count == 2)
    for previews in [DNGPreviews.kept, .none] {
      let output = try DNGWriter.write(
        DNGReader.read(bytes, scheduler: scheduler),
        keeping: DNGOriginal(bytes),
        settings: DNGOutputSettings(software: "test"),
        previews: previews,
        scheduler: scheduler
      )
      #expect(try DNGReader.inspect(output.bytes()).images.count == 1)
    }
  }
}
