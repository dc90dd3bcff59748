import Diagnostics
import JPEGCodec
import Raster
import Testing

@Suite struct JPEGDecoderTests {
  private static let size = PixelSize(width: 40, height: 24)

  /// Slow slopes, one for each component.
  private static func samples(_ components: Int, size: PixelSize = size) -> [UInt8] {
    (0..<size.width * size.height * components).map { index in
      let (pixel, component) = index.quotientAndRemainder(dividingBy: components)
      let (y, x) = pixel.quotientAndRemainder(dividingBy: size.width)
      return UInt8(20 + 60 * component + 2 * (component == 1 ? y : x))
    }
  }

  private static func encode(_ components: Int, color: JPEGEncoder.Color) throws -> [UInt8] {
    try JPEGEncoder.encode(
      samples(components).span,
      size: size,
      stride: size.width * components,
      components: components,
      quality: 100,
      color: color
    )
  }

  private static func decode(
    _ bytes: [UInt8],
    components: Int,
    color: JPEGDecoder.Color = .asCoded,
    tables: [UInt8]? = nil,
    size: PixelSize = size
  ) throws(JPEGError) -> [UInt8] {
    // Within other bytes, as tiles are in a file.
    let file = [1, 2, 3] + bytes + [4, 5]
    var samples: [UInt8] = []
    try JPEGDecoder.decode(
      file,
      range: 3..<3 + bytes.count,
      tables: tables,
      size: size,
      components: components,
      color: color,
      into: &samples
    )
    return samples
  }

  private static func largestDifference(_ left: [UInt8], _ right: [UInt8]) -> Int {
    zip(left, right).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }

  @Test("Components come as coded, or as the picture's colours")
  func colors() throws {
    for components in [1, 3] {
      let coded = try Self.encode(components, color: .asGiven)
      let found = try Self.decode(coded, components: components)
      #expect(Self.largestDifference(found, Self.samples(components)) <= 1)
    }
    for color in [JPEGEncoder.Color.yCbCr444, .yCbCr420] {
      let coded = try Self.encode(3, color: color)
      let picture = try Self.decode(coded, components: 3, color: .rgb)
      #expect(Self.largestDifference(picture, Self.samples(3)) <= 6)
      // The same stream without the transform: a JFIF marker doesn't count.
      let plain = try Self.decode(coded, components: 3)
      #expect(Self.largestDifference(plain, Self.samples(3)) > 20)
    }
  }

  /// The segments of a stream (marker and content) up to its scan, and the rest.
  private static func segments(_ bytes: [UInt8]) -> (head: [[UInt8]], rest: [UInt8]) {
    var head: [[UInt8]] = []
    var position = 2
    while bytes[position + 1] != 0xDA {
      let length = 2 + Int(bytes[position + 2]) << 8 + Int(bytes[position + 3])
      head.append(Array(bytes[position..<position + length]))
      position += length
    }
    return (head, Array(bytes[position...]))
  }

  @Test func sharedTables() throws {
    let whole = try Self.encode(3, color: .asGiven)
    let (head, rest) = Self.segments(whole)
    let shared = head.filter { $0[1] == 0xDB || $0[1] == 0xC4 }
    let own = head.filter { $0[1] != 0xDB && $0[1] != 0xC4 }
    let tables = [0xFF, 0xD8] + shared.flatMap(\.self) + [0xFF, 0xD9]
    let stream = [0xFF, 0xD8] + own.flatMap(\.self) + rest
    #expect(
      try Self.decode(stream, components: 3, tables: tables)
        == Self.decode(whole, components: 3)
    )
    #expect(throws: JPEGError.self) { _ = try Self.decode(stream, components: 3) }
    #expect(throws: JPEGError.self) { _ = try Self.decode(stream, components: 3, tables: whole) }
    #expect(throws: JPEGError.self) { _ = try Self.decode(stream, components: 3, tables: []) }
  }

  @Test func otherShapes() throws {
    let stream = try Self.encode(3, color: .asGiven)
    #expect(throws: JPEGError.otherShape(frame: Self.size, components: 3)) {
      _ = try Self.decode(stream, components: 1)
    }
    #expect(throws: JPEGError.otherShape(frame: Self.size, components: 3)) {
      _ = try Self.decode(stream, components: 3, size: PixelSize(width: 40, height: 25))
    }
  }

  @Test("Data that the library would patch up is refused")
  func damage() throws {
    let stream = try Self.encode(1, color: .asGiven)
    for count in 0..<stream.count - 2 {
      #expect(throws: JPEGError.self, "\(count)") {
        _ = try Self.decode(Array(stream[..<count]), components: 1)
      }
    }
    for bit in 0..<8 * stream.count {
      var damaged = stream
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      // Must return.
      _ = try? Self.decode(damaged, components: 1)
    }
  }

  @Test func frameHeaders() throws {
    let stream = try Self.encode(3, color: .asGiven)
    let header = try JPEGFrameHeader(stream, range: 0..<stream.count)
    #expect(header.marker == 0xC0 && header.precision == 8 && header.isLossy)
    #expect(header.size == Self.size && header.components == 3)
    let lossless: [UInt8] = [
      0xFF, 0xD8, 0xFF, 0xFF, 0xC4, 0, 3, 9, 0xFF, 0xC3, 0, 11, 14, 0, 7, 1, 0, 1, 1, 0x11, 0,
    ]
    let other = try JPEGFrameHeader(lossless, range: 0..<lossless.count)
    #expect(other.precision == 14 && !other.isLossy)
    #expect(other.size == PixelSize(width: 256, height: 7))
    #expect(throws: JPEGError.noStartOfImage) { _ = try JPEGFrameHeader([0xFF], range: 0..<1) }
    for count in 2..<lossless.count {
      #expect(throws: JPEGError.noFrame) { _ = try JPEGFrameHeader(lossless, range: 0..<count) }
    }
  }

  @Test func shapesThatCannotBeEncoded() {
    let one: [UInt8] = [0]
    #expect(throws: JPEGError.self) {
      _ = try JPEGEncoder.encode(
        one.span,
        size: PixelSize(width: 1, height: 2),
        stride: 1,
        components: 1,
        quality: 90,
        color: .asGiven
      )
    }
    #expect(throws: JPEGError.self) {
      _ = try JPEGEncoder.encode(
        one.span,
        size: PixelSize(width: 1, height: 0),
        stride: 1,
        components: 1,
        quality: 90,
        color: .asGiven
      )
    }
  }

  @Test(arguments: [
    (JPEGError.noStartOfImage, "jpegNoStart"), (.noFrame, "jpegNoFrame"),
    (.damaged("x"), "jpegDamaged"), (.otherShape(frame: size, components: 3), "jpegOtherShape"),
    (.limit("x"), "jpegLimit"), (.encoding("x"), "jpegEncoding"),
  ])
  func errors(error: JPEGError, code: String) {
    #expect(error.code.rawValue == code)
    #expect(error.disposition == .permanent)
    #expect(!error.message.isEmpty)
  }
}
