import DNGFormat
import Develop
import FileSystem
import Raster
import RawModel
import TestSupport
import Testing

/// Against colour-demosaicing's Menon (2007), on real photographs.
@Suite struct MenonOracleTests {
  /// A part of a photograph, as linear samples: codes less black, over `divisor`.
  private static func crop(divisor: Float) throws -> Plane<Float> {
    let frame = try DNGReader.read(
      try Corpus.bytes("photos/hero6_lossless.dng"),
      scheduler: TileScheduler(laneCount: 1)
    )
    var plane = try Plane<Float>(width: 400, height: 320)
    for y in 0..<320 {
      let codes = frame.samples.values(ofRow: y + 1200)
      plane.withMutableRow(y) { row in
        for x in 0..<400 { row[x] = (Float(codes[x + 1600]) - 256) / divisor }
      }
    }
    return plane
  }

  /// Differences from the oracle, farther than 20 pixels from the edge (it continues edges otherwise).
  private static func differences(divisor: Float, pattern: CFAPattern) throws -> [Double] {
    let mosaic = try crop(divisor: divisor)
    let folder = try TemporaryDirectory()
    var samples: [Double] = []
    for y in 0..<320 {
      mosaic.withRow(y) { row in for x in 0..<400 { samples.append(Double(row[x])) } }
    }
    let input = try folder.write(RawBytes.bytes(samples), to: "mosaic")
    let output = folder.path("rgb")
    _ = try OraclePython.run(
      "develop_reference.py",
      arguments: ["menon", "\(input)", "400", "320", pattern.rawValue, "\(output)"]
    )
    let expected = RawBytes.doubles(try output.readAll())
    let planes = try Demosaicer.menon(
      mosaic,
      pattern: pattern,
      scheduler: TileScheduler(laneCount: 2)
    )
    var differences: [Double] = []
    for y in 20..<300 {
      for x in 20..<380 {
        let index = 3 * (400 * y + x)
        differences.append(abs(Double(planes.red.withRow(y) { $0[x] }) - expected[index]))
        differences.append(abs(Double(planes.green.withRow(y) { $0[x] }) - expected[index + 1]))
        differences.append(abs(Double(planes.blue.withRow(y) { $0[x] }) - expected[index + 2]))
      }
    }
    return differences
  }

  @Test(
    .enabled(if: Corpus.isAvailable, Corpus.missingComment),
    .enabled(if: OraclePython.isAvailable, OraclePython.missingComment),
    arguments: [CFAPattern.rggb, .gbrg]
  )
  func integersAreEqualToATwentiethOfACode(pattern: CFAPattern) throws {
    let differences = try Self.differences(divisor: 1, pattern: pattern)
    #expect(try #require(differences.max()) < 0.05)
  }

  /// Scaled by a power of two, which is exact, decisions stay those of the integers.
  ///
  /// Any other scale
  /// rounds the samples, and where both directions are equally good in the integers it decides by that
  /// rounding: the oracle differs from itself, integers against their 16127th parts, at 1.6e-4 to 1.3e-3
  /// of the samples of such photographs.
  @Test(
    .enabled(if: Corpus.isAvailable, Corpus.missingComment),
    .enabled(if: OraclePython.isAvailable, OraclePython.missingComment),
    arguments: [(Float(16384), 1e-4), (16127, 1e-3)]
  )
  func fractionsAreEqualButForTies(divisor: Float, share: Double) throws {
    let differences = try Self.differences(divisor: divisor, pattern: .rggb)
    let apart = differences.count { $0 > 1e-5 }
    #expect(Double(apart) / Double(differences.count) < share)
  }
}
