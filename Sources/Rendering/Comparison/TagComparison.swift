internal import DNGFormat
internal import TIFFContainer

/// Compares what two TIFF-based raws say, tag by tag, whatever their byte orders and layouts.
enum TagComparison {
  /// Values that are read to be compared, in bytes; a larger one counts by its size alone.
  private static let valueLimit = 256 << 20

  /// The differences in order: IFD0, raw IFD, Exif, GPS, images; nil where a file is no TIFF.
  static func differences(_ first: [UInt8], _ second: [UInt8]) -> [TagDifference]? {
    guard let left = directories(first), let right = directories(second) else { return nil }
    var differences: [TagDifference] = []
    // The raw image may stand in IFD0 of one file and in a SubIFD of the other: then both are one.
    if (left.raw == nil) == (right.raw == nil) {
      differences += compare("IFD0", [left.main], [right.main])
      if let leftRaw = left.raw, let rightRaw = right.raw {
        differences += compare("raw", [leftRaw], [rightRaw])
      }
    } else {
      differences += compare(
        "IFD0 and raw",
        [left.raw, left.main].compactMap { $0 },
        [right.raw, right.main].compactMap { $0 }
      )
    }
    for (name, tag) in [("Exif", TIFFTag.exifIFD), ("GPS", .gpsIFD)] {
      differences += compare(name, left.below(tag), right.below(tag))
    }
    return differences + compareImages(left.images, right.images)
  }

  /// The IFDs of one file.
  private struct Directories {
    var tiff: TIFFFile
    var main: TIFFDirectory
    /// Nil where IFD0 is the raw image's.
    var raw: TIFFDirectory?
    /// Names of the kinds of image, the raw left out.
    var images: [String]

    /// The IFD that a tag of IFD0 points to.
    func below(_ tag: TIFFTag) -> [TIFFDirectory] {
      // A pointer that leads nowhere is one without an IFD: its tags are missing.
      guard let found = try? tiff.directory(tag, of: main, named: "IFD") else { return [] }
      return [found]
    }
  }

  private static func directories(_ bytes: [UInt8]) -> Directories? {
    guard let tiff = try? TIFFFile(bytes), let all = try? tiff.imageDirectories(),
      let main = all.first
    else { return nil }
    // Other raws have no DNG structure; their main IFD can be compared all the same.
    guard let inspection = try? DNGReader.inspect(bytes) else {
      return Directories(tiff: tiff, main: main, raw: nil, images: [])
    }
    var images = inspection.images.map { "\($0.kind)" }
    let rawIndex = inspection.rawIndex
    let raw = all.first { $0.name == inspection.images[rawIndex].directory }
    images.remove(at: rawIndex)
    return Directories(tiff: tiff, main: main, raw: rawIndex == 0 ? nil : raw, images: images)
  }

  private static func compare(
    _ name: String,
    _ left: [TIFFDirectory],
    _ right: [TIFFDirectory]
  ) -> [TagDifference] {
    let (leftValues, rightValues) = (values(left), values(right))
    var differences: [TagDifference] = []
    for tag in Set(leftValues.keys).union(rightValues.keys).sorted() {
      let (first, second) = (leftValues[tag], rightValues[tag])
      if let first, let second, first.isEqual(to: second) { continue }
      differences.append(
        TagDifference(
          directory: name,
          tag: tag.text,
          kind: first == nil ? .added : second == nil ? .missing : .changed,
          isRecomputed: TIFFTag.recomputed.contains(tag),
          first: first?.text,
          second: second?.text
        )
      )
    }
    return differences
  }

  /// The value of each tag but pointers; of one that stands in several IFDs, the first's.
  private static func values(_ directories: [TIFFDirectory]) -> [TIFFTag: TagValue] {
    var values: [TIFFTag: TagValue] = [:]
    for directory in directories {
      for entry in directory.entries where !TIFFTag.pointers.contains(entry.tag) {
        guard values[entry.tag] == nil else { continue }
        // What can't be read is a value of its own, equal to no other.
        values[entry.tag] = TagValue(entry, of: directory, limit: valueLimit)
      }
    }
    return values
  }

  private static func compareImages(_ left: [String], _ right: [String]) -> [TagDifference] {
    var differences: [TagDifference] = []
    for kind in Set(left).union(right).sorted() {
      let (first, second) = (left.count { $0 == kind }, right.count { $0 == kind })
      guard first != second else { continue }
      differences.append(
        TagDifference(
          directory: "images",
          tag: kind,
          kind: first == 0 ? .added : second == 0 ? .missing : .changed,
          isRecomputed: kind.hasSuffix("preview"),
          first: first == 0 ? nil : "\(first)",
          second: second == 0 ? nil : "\(second)"
        )
      )
    }
    return differences
  }
}

extension TIFFTag {
  /// The name without the number, where the specifications have one.
  fileprivate var text: String {
    let description = "\(self)"
    guard let end = description.firstIndex(of: "("), description.hasSuffix(")") else {
      return description
    }
    return String(description[..<end].dropLast())
  }

  /// Tags that say where in the file something stands: never the same, and no content.
  fileprivate static let pointers: Set<TIFFTag> = [
    .stripOffsets, .stripByteCounts, .tileOffsets, .tileByteCounts, .subIFDs, .exifIFD, .gpsIFD,
    .jpegInterchangeFormat, .jpegInterchangeFormatLength,
  ]

  /// Tags that a writer states anew with the samples: how they are stored, and what is computed from
  /// them or names the writer.
  fileprivate static let recomputed: Set<TIFFTag> = [
    .newSubFileType, .imageWidth, .imageLength, .bitsPerSample, .compression,
    .photometricInterpretation, .samplesPerPixel, .planarConfiguration, .rowsPerStrip, .predictor,
    .tileWidth, .tileLength, .sampleFormat, .jpegTables, .fillOrder, .software,
    .linearizationTable, .blackLevel, .blackLevelRepeatDim, .whiteLevel, .dngVersion,
    .dngBackwardVersion, .newRawImageDigest, .rawImageDigest, .originalRawFileName,
    .subTileBlockSize, .rowInterleaveFactor, TIFFTag(rawValue: 52_547),
    TIFFTag(rawValue: 52_553), TIFFTag(rawValue: 52_554), TIFFTag(rawValue: 52_555),
    .previewApplicationName, .previewApplicationVersion, .previewSettingsName,
    .previewSettingsDigest, .previewColorSpace, .previewDateTime, .cacheBlob,
    .yCbCrCoefficients, .yCbCrSubSampling, .yCbCrPositioning, .referenceBlackWhite,
  ]
}
