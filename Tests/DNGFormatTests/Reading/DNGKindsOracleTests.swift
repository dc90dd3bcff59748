import DNGFormat
import Diagnostics
import Digest
import FileSystem
import Raster
import TestSupport
import Testing

/// Every kind of DNG that the specification allows, as an independent writer makes them.
@Suite struct DNGKindsOracleTests {
  /// Compression, predictor, depth, samples a pixel, strips and tiles, byte order, BigTIFF, interleaving
  /// and blocks: the stored samples are the writer's.
  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func samplesAreTheWriters() throws {
    let folder = try TemporaryDirectory()
    let output = try OraclePython.run("dng_kinds.py", arguments: ["\(folder.root)"])
    let lines = output.split(separator: "\n")
    let counts = try #require(lines.first).split(separator: " ").compactMap { Int($0) }
    #expect(counts[0] > 2000 && counts[0] == lines.count - 1)
    // tifffile agrees with the writer where it reads the kind.
    #expect(counts[1] > 1500)
    for (index, line) in lines.dropFirst().enumerated() {
      let bytes = try folder.path("\(index).dng").readAll()
      let expected = SHA256.digest(of: try folder.path("\(index).raw").readAll())
      do throws(DNGReadError) {
        let frame = try DNGReader.read(
          bytes,
          scheduler: TileScheduler(laneCount: 1 + index % 3)
        )
        #expect(RawImageDigest.mosaicSHA256(frame) == expected, "\(line)")
      } catch {
        Issue.record("\(line): \(error.message)")
      }
    }
  }
}
