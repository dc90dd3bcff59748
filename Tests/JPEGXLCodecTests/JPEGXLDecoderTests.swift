import Diagnostics
import JPEGXLCodec
import Raster
import Testing

@Suite struct JPEGXLDecoderTests {
  private static let size = PixelSize(width: 3, height: 2)

  private static func decode(
    _ bytes: [UInt8],
    size: PixelSize = size,
    channels: Int = 1
  ) throws(JPEGXLError) -> ([UInt16], JPEGXLSampleFormat) {
    var samples: [UInt16] = []
    let format = try JPEGXLDecoder.decode(
      bytes.span,
      size: size,
      channels: channels,
      into: &samples
    )
    return (samples, format)
  }

  @Test(
    "Integers of fewer than 16 bits come as coded",
    arguments: [
      (JPEGXLStreams.gray8, 8), (JPEGXLStreams.gray10, 10), (JPEGXLStreams.gray12, 12),
      (JPEGXLStreams.gray16, 16),
    ]
  )
  func integers(bytes: [UInt8], bits: Int) throws {
    let (samples, format) = try Self.decode(bytes)
    #expect(format == .integer(bits: bits))
    let largest = 1 << bits - 1
    #expect(samples.map { Int($0) } == [0, 1, 2, largest, 1 << (bits - 1), largest - 1])
  }

  @Test func threeChannels() throws {
    let (samples, _) = try Self.decode(
      JPEGXLStreams.rgb16,
      size: PixelSize(width: 2, height: 2),
      channels: 3
    )
    #expect(samples == [0, 1, 2, 3, 4, 5, 65_535, 4, 1, 7, 8, 9])
  }

  @Test func halfFloats() throws {
    let (samples, format) = try Self.decode(JPEGXLStreams.half)
    #expect(format == .half)
    #expect(samples.map { Float16(bitPattern: $0) } == [0, 1, -0.5, 0.1, 65_504, 6e-8])
  }

  @Test("A picture of another shape is refused before memory is taken")
  func shapes() {
    #expect(throws: JPEGXLError.otherShape(picture: Self.size, channels: 1)) {
      _ = try Self.decode(JPEGXLStreams.gray8, size: PixelSize(width: 2, height: 3))
    }
    #expect(throws: JPEGXLError.otherShape(picture: Self.size, channels: 1)) {
      _ = try Self.decode(JPEGXLStreams.gray8, channels: 3)
    }
    #expect(throws: JPEGXLError.extraChannels(1)) {
      _ = try Self.decode(JPEGXLStreams.grayAndAlpha)
    }
    #expect(throws: JPEGXLError.unsupportedSamples(bits: 32, exponentBits: 8)) {
      _ = try Self.decode(JPEGXLStreams.float32)
    }
    #expect(throws: JPEGXLError.severalFrames) {
      _ = try Self.decode(JPEGXLStreams.twoFrames, size: PixelSize(width: 3, height: 2))
    }
  }

  @Test("Every truncation is an error, and so are flipped bits or they change samples alone")
  func damage() {
    let streams = [JPEGXLStreams.gray10, JPEGXLStreams.half, JPEGXLStreams.gray16]
    for stream in streams {
      for count in 0..<stream.count {
        #expect(throws: JPEGXLError.self, "\(count)") {
          _ = try Self.decode(Array(stream[..<count]))
        }
      }
      for bit in 0..<8 * stream.count {
        var damaged = stream
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        // Must return; what it returns is the format's affair, which has no checksum.
        _ = try? Self.decode(damaged)
      }
    }
  }

  @Test(arguments: [
    (JPEGXLError.unavailable, "jpegXLUnavailable", Disposition.resource),
    (.damaged, "jpegXLDamaged", .permanent),
    (.truncated, "jpegXLTruncated", .permanent),
    (.otherShape(picture: size, channels: 1), "jpegXLOtherShape", .permanent),
    (.extraChannels(1), "jpegXLExtraChannels", .permanent),
    (.severalFrames, "jpegXLSeveralFrames", .permanent),
    (.unsupportedSamples(bits: 32, exponentBits: 8), "jpegXLUnsupportedSamples", .permanent),
  ])
  func errors(error: JPEGXLError, code: String, disposition: Disposition) {
    #expect(error.code.rawValue == code)
    #expect(error.disposition == disposition)
    #expect(!error.message.isEmpty)
  }
}
