import DNGFormat
import Digest
import FileSystem
import ProcessControl
import Raster
import RawModel
import SampleScene
import TestSupport
import Testing

@Suite struct SampleFileTests {
  private static let size = PixelSize(width: 320, height: 240)
  private static let exifTool = FilePath("/usr/bin/exiftool")

  /// The files' bytes are fixed, for any number of lanes.
  ///
  /// New digests are a decision: what the scene
  /// holds is in every picture of the documentation and in the end-to-end tests.
  @Test(
    arguments: zip(
      SampleFile.allCases,
      [
        "905d5cb53f6df234650fdb5e95a29e02b0bf5a9f9672867753ebd5dfb19a4af5",
        "8a7a17f184cff3b66ae6c01f73febb3bfaad1d294f3188f5ba8e8ee89d6e22aa",
        "ae1832ca5cd2071a295c808ca977072fec2f037e8b153a7303fda48958431228",
      ]
    )
  )
  func bytesAreFixed(file: SampleFile, digest: String) throws {
    for lanes in [1, 3] {
      let bytes = try file.bytes(size: Self.size, scheduler: TileScheduler(laneCount: lanes))
      #expect(SHA256.digest(of: bytes).hex == digest, "\(lanes) lanes")
    }
  }

  @Test(arguments: SampleFile.allCases) func readerGetsTheFrameBack(file: SampleFile) throws {
    let scheduler = TileScheduler(laneCount: 2)
    for size in [Self.size, PixelSize(width: 33, height: 17), PixelSize(width: 1, height: 1)] {
      let scene = file.scene(size: size)
      let written = try scene.frame(scheduler: scheduler)
      let read = try DNGReader.read(
        file.bytes(size: size, scheduler: scheduler),
        scheduler: scheduler
      )
      #expect(RawImageDigest.mosaicSHA256(read) == RawImageDigest.mosaicSHA256(written))
      let description = read.description
      #expect(description.size == size)
      #expect(description.layout == scene.description.layout)
      #expect(description.orientation == scene.orientation)
      #expect(description.whiteLevel == scene.description.whiteLevel)
      #expect(description.baselineExposure == SampleCamera.headroom)
      #expect(description.color.calibrations.map(\.illuminant) == [17, 21])
      #expect(description.capture.lensModel == "rawmill Sample 35mm F2")
    }
  }

  @Test(
    .enabled(if: (try? exifTool.status()) != nil, "exiftool not found"),
    arguments: SampleFile.allCases
  )
  func exifToolValidatesWithoutAWarning(file: SampleFile) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      try file.bytes(size: Self.size, scheduler: TileScheduler(laneCount: 1)),
      to: file.name
    )
    let run = try ProgramRun.run(
      Self.exifTool,
      arguments: [
        Array("-validate".utf8), Array("-warning".utf8), Array("-error".utf8), Array("-a".utf8),
        path.bytes,
      ]
    )
    #expect(run.exit.isSuccess)
    #expect(run.outputText == "Validate                        : OK\n")
  }
}
