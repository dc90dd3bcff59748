import Diagnostics
import JPEGXLCodec
import Raster
import Testing

@Suite struct JPEGXLEncoderTests {
  private static let size = PixelSize(width: 37, height: 29)

  /// A slope with a pattern in the last bits.
  private static func samples(bits: Int, channels: Int) -> [UInt16] {
    let largest = 1 << bits - 1
    return (0..<size.pixelCount * channels).map { index in
      UInt16((index * 41 + index / 7 * 13) % (largest + 1))
    }
  }

  private static func encode(
    _ samples: [UInt16],
    bits: Int,
    channels: Int,
    distance: Float? = nil
  ) throws -> [UInt8] {
    try JPEGXLEncoder.encode(
      samples.span,
      size: size,
      channels: channels,
      bits: bits,
      distance: distance,
      effort: 1
    )
  }

  @Test(arguments: [8, 10, 12, 16], [1, 3])
  func losslessComesBack(bits: Int, channels: Int) throws {
    let samples = Self.samples(bits: bits, channels: channels)
    let stream = try Self.encode(samples, bits: bits, channels: channels)
    // A bare codestream, not a container.
    #expect(stream.starts(with: [0xFF, 0x0A]))
    var decoded: [UInt16] = []
    let format = try JPEGXLDecoder.decode(
      stream.span,
      size: Self.size,
      channels: channels,
      into: &decoded
    )
    #expect(format == .integer(bits: bits))
    #expect(decoded == samples)
  }

  @Test func lossyIsNear() throws {
    let samples = (0..<Self.size.pixelCount).map { UInt16($0 % Self.size.width * 1500) }
    let stream = try Self.encode(samples, bits: 16, channels: 1, distance: 1)
    var decoded: [UInt16] = []
    _ = try JPEGXLDecoder.decode(stream.span, size: Self.size, channels: 1, into: &decoded)
    let worst = zip(decoded, samples).map { abs(Int($0) - Int($1)) }.max() ?? 0
    #expect(worst > 0 && worst < 3000)
  }

  @Test func whatCannotBeCodedIsRefused() {
    #expect(throws: JPEGXLError.encoding("a sample of 256 in 8 bits")) {
      try Self.encode(
        [UInt16](repeating: 256, count: Self.size.pixelCount),
        bits: 8,
        channels: 1
      )
    }
    let error = JPEGXLError.encoding("37x29 pixels of 2 channels of 8 bits")
    #expect(throws: error) {
      try Self.encode([1], bits: 8, channels: 2)
    }
    #expect(error.code == "jpegXLEncoding" && error.disposition == .permanent)
  }
}
