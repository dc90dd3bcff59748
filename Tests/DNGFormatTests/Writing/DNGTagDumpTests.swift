import DNGFormat
import FileSystem
import ProcessControl
import Raster
import TestSupport
import Testing

/// exiftool's view of corpus files before and after they were written anew.
@Suite struct DNGTagDumpTests {
  private static let exifTool = FilePath("/usr/bin/exiftool")
  private static let isComplete = Corpus.isAvailable && (try? exifTool.status()) != nil

  /// What a new coding of the same samples may change.
  private static let recomputed: Set<String> = [
    "Software", "Compression", "BitsPerSample", "TileWidth", "TileLength", "TileOffsets",
    "TileByteCounts", "StripOffsets", "StripByteCounts", "RowsPerStrip", "PlanarConfiguration",
    "SamplesPerPixel", "SubfileType", "Predictor", "NewRawImageDigest", "OriginalRawFileName",
    "DNGVersion", "DNGBackwardVersion", "WhiteLevel", "Orientation", "SubIFD", "ExifByteOrder",
    "RowInterleaveFactor", "Exif_0xcd43", "Exif_0xcd49", "Exif_0xcd4a",
    // Offsets of what is not copied as a value.
    "ThumbnailOffset", "PreviewImageStart", "JpgFromRawStart",
  ]

  @Test(
    .enabled(if: isComplete, "exiftool or the corpus not found"),
    arguments: [
      "photos/kissx4_lossless.dng", "photos/kissx4_colorchart.dng", "photos/fusion_lossless.dng",
      "edge/gps_exif.dng", "edge/tff_bigendian_strips.dng", "edge/blacklevel_4x4.dng",
      "edge/defaultcrop_fraction.dng", "edge/tff_linearraw_u16.dng", "photos/kissx4_linear.dng",
      "photos/kissx4_losslessjxl.dng", "photos/kissx4_proxy800.dng",
    ]
  )
  func onlyWhatIsRecomputedDiffers(name: String) throws {
    try check(name, DNGOutputSettings(software: "rawmill tests", originalFileName: "name.dng"))
  }

  /// Each way to write, and what it makes anew beside the coding.
  @Test(
    .enabled(if: isComplete, "exiftool or the corpus not found"),
    arguments: [
      (DNGOutputSettings.Compression.none, DNGOutputSettings.BitDepth.source, 1.0),
      (.losslessJPEG, .integer(10), 1), (.losslessJPEG, .integer(8), 1), (.none, .integer(12), 1),
      (.deflate, .float32, 1), (.deflate, .float16, 1),
      (.none, .float32, 1), (.jpegXL, .source, 1), (.jpegXL, .integer(10), 1),
      (.jpegXL, .source, 0.9),
    ]
  )
  func everyWayToWrite(
    compression: DNGOutputSettings.Compression,
    bitDepth: DNGOutputSettings.BitDepth,
    quality: Double
  ) throws {
    let settings = DNGOutputSettings(
      compression: compression,
      bitDepth: bitDepth,
      quality: quality,
      software: "rawmill tests",
      originalFileName: "name.dng"
    )
    let hasOtherCodes = bitDepth != .source || quality < 1
    try check(
      "photos/kissx4_colorchart.dng",
      settings,
      anew: hasOtherCodes
        ? [
          "LinearizationTable", "BlackLevel", "BlackLevelRepeatDim", "SampleFormat",
          "RawDataUniqueID",
        ] : []
    )
  }

  /// Writes a file anew and compares what exiftool says of both; tags in `anew` may be others, too.
  private func check(
    _ name: String,
    _ settings: DNGOutputSettings,
    anew: Set<String> = []
  ) throws {
    let source = try Corpus.bytes(name)
    let scheduler = TileScheduler(laneCount: 2)
    let output = try DNGWriter.write(
      DNGReader.read(source, scheduler: scheduler),
      keeping: DNGOriginal(source),
      settings: settings,
      scheduler: scheduler
    )
    let folder = try TemporaryDirectory()
    let path = try folder.write(output.bytes(), to: "output.dng")
    let isKept = { (entry: (key: String, value: String)) in
      !anew.contains(where: { entry.key.hasSuffix(" \($0)") })
    }
    let before = try tags(Corpus.path(name)).filter(isKept)
    let after = try tags(path).filter(isKept)
    for (tag, value) in before {
      #expect(after[tag] == value, "\(tag)")
    }
    #expect(Set(after.keys).subtracting(before.keys) == [])
    let isJPEGXL = settings.compression == .jpegXL
    let new = try warnings(path).subtracting(warnings(Corpus.path(name))).filter { warning in
      // exiftool 12.57 doesn't know the tags of DNG 1.7.
      !isJPEGXL || !warning.contains(/Unknown (IFD0 tag 0xcd4|value for \w+:Compression)/)
    }
    #expect(new == [])
  }

  private func warnings(_ path: FilePath) throws -> Set<String> {
    let lines = try run(path, ["-validate", "-warning", "-error"]).split(separator: "\n")
    // The sum of them is none.
    return Set(lines.filter { !$0.hasPrefix("Validate ") }.map(String.init))
  }

  /// The tags by group, number and name, without those that are made anew.
  private func tags(_ path: FilePath) throws -> [String: String] {
    let dump = try run(path, ["-G1", "-s", "-n", "-D"])
    var tags: [String: String] = [:]
    for line in dump.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      let words = parts[0].split(separator: " ")
      guard parts.count == 2, let tag = words.last else { continue }
      let group = words[0]
      if ["[ExifTool]", "[System]", "[File]", "[Composite]"].contains(group) { continue }
      if Self.recomputed.contains(String(tag)) { continue }
      tags[words.joined(separator: " "), default: ""] += String(parts[1])
    }
    return tags
  }

  private func run(_ path: FilePath, _ arguments: [String]) throws -> String {
    let run = try ProgramRun.run(
      Self.exifTool,
      arguments: (arguments + ["-a"]).map { Array($0.utf8) } + [path.bytes]
    )
    #expect(run.exit.isSuccess)
    return run.outputText
  }
}
