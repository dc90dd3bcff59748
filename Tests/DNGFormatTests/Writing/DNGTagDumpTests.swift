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
      "edge/defaultcrop_fraction.dng", "edge/tff_linearraw_u16.dng",
    ]
  )
  func onlyWhatIsRecomputedDiffers(name: String) throws {
    let source = try Corpus.bytes(name)
    let scheduler = TileScheduler(laneCount: 2)
    let output = try DNGWriter.write(
      DNGReader.read(source, scheduler: scheduler),
      keeping: DNGOriginal(source),
      settings: DNGOutputSettings(software: "rawmill tests", originalFileName: "name.dng"),
      scheduler: scheduler
    )
    let folder = try TemporaryDirectory()
    let path = try folder.write(output.bytes(), to: "output.dng")
    let before = try tags(Corpus.path(name))
    let after = try tags(path)
    for (tag, value) in before {
      #expect(after[tag] == value, "\(tag)")
    }
    #expect(Set(after.keys).subtracting(before.keys) == [])
    let oldWarnings = try run(Corpus.path(name), ["-validate", "-warning", "-error"])
    let newWarnings = try run(path, ["-validate", "-warning", "-error"])
    #expect(
      Set(newWarnings.split(separator: "\n")).isSubset(of: oldWarnings.split(separator: "\n"))
    )
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
