import DNGFormat
import Digest
import Raster
import RawModel
import TIFFContainer
import Testing

/// What becomes of files whose samples don't have the digest that they state.
@Suite struct DigestPolicyTests {
  private static let scheduler = TileScheduler(laneCount: 2)

  private static func read(
    _ bytes: [UInt8],
    _ policy: DigestPolicy
  ) throws(DNGReadError) -> [String] {
    try DNGReader.read(bytes, scheduler: scheduler, digestPolicy: policy).description.warnings
  }

  @Test("A wrong digest is an error, a warning or nothing")
  func policies() throws {
    var dng = HandmadeDNG()
    dng.main.set(.newRawImageDigest, bytes: Array(repeating: 7, count: 16))
    let bytes = try dng.bytes()
    let error = #expect(throws: DNGReadError.self) { _ = try Self.read(bytes, .error) }
    guard case .digestMismatch(_, String(repeating: "07", count: 16), _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let warnings = try Self.read(bytes, .warn)
    #expect(warnings.count == 1)
    #expect(warnings[0].contains("NewRawImageDigest"))
    #expect(try Self.read(bytes, .ignore).isEmpty)
  }

  @Test("The older digest counts where there is no newer one")
  func olderDigest() throws {
    // 8x6 samples of 8 bits count 16 bits each.
    let samples = (0..<48).map { UInt8($0 * 5) }
    var dng = HandmadeDNG(bits: 8, strip: samples)
    dng.main.set(.rawImageDigest, bytes: MD5.digest(of: samples.flatMap { [$0, 0] }).bytes)
    #expect(try Self.read(dng.bytes(), .error).isEmpty)
    dng.segments[0][5] ^= 1
    #expect(throws: DNGReadError.self) { _ = try Self.read(try dng.bytes(), .error) }
    dng.main.set(.newRawImageDigest, bytes: Array(repeating: 0, count: 16))
    #expect(throws: DNGReadError.self) { _ = try Self.read(try dng.bytes(), .error) }
  }

  @Test("32-bit samples are digested as they are, rounded floats may have been before")
  func wideSamples() throws {
    var dng = HandmadeDNG(bits: 32, strip: (0..<192).map { UInt8($0) })
    let tile = MD5.digest(of: dng.segments[0])
    dng.main.set(.newRawImageDigest, bytes: MD5.digest(of: tile.bytes).bytes)
    #expect(try Self.read(dng.bytes(), .error).isEmpty)
    // The same bytes as floats of 32 bits; as floats of 16 it is another picture.
    dng.main.set(.sampleFormat, short: 3)
    #expect(try Self.read(dng.bytes(), .error).isEmpty)
    dng.segments[0][0] ^= 1
    #expect(throws: DNGReadError.self) { _ = try Self.read(try dng.bytes(), .error) }
    dng.main.set(.bitsPerSample, short: 16)
    dng.main.set(.imageWidth, long: 16)
    let warnings = try Self.read(dng.bytes(), .error)
    #expect(warnings.count == 1 && warnings[0].contains("not checked"))
  }
}
