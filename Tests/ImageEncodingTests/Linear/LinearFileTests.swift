import ColorScience
import Digest
import FileSystem
import ImageEncoding
import JSON
import Raster
import TestSupport
import Testing

@Suite struct LinearFileTests {
  static let rec2020 = LinearColorimetry(.rec2020, name: "Rec. 2020")

  /// Signed values of every size, of which single precision keeps each.
  static func values(_ size: PixelSize, channels: Int, seed: UInt64 = 7) throws -> Plane<Float> {
    var generator = SeededGenerator(seed: seed)
    var plane = try Plane<Float>(width: size.width * channels, height: size.height)
    for y in 0..<plane.height {
      plane.withMutableRow(y) { row in
        for x in row.indices {
          let magnitude = Float(Int.random(in: 0..<4096, using: &generator)) / 2048
          row[x] = (x + y) % 9 == 0 ? -magnitude : magnitude * Float(1 + y % 3)
        }
      }
    }
    return plane
  }

  /// A file and the samples that went into it.
  static func write(
    _ format: ImageFormat,
    _ description: LinearImageDescription,
    lanes: Int = 1
  ) throws -> (file: [UInt8], samples: [UInt8], libraries: [String]) {
    let values = try values(description.size, channels: description.channels.count)
    let sink = MemorySink()
    let scheduler = TileScheduler(laneCount: lanes)
    let file = try LinearFiles.begin(format, description, metadata: ImageMetadata(), to: sink)
    var samples: [UInt8] = []
    for top in stride(from: 0, to: values.height, by: LinearFiles.bandRowCount) {
      let rows = top..<min(top + LinearFiles.bandRowCount, values.height)
      let stored = LinearRows.storing(values, rows: rows, as: description.sampleFormat).rows
      samples += stored.bytes
      try file.append(stored, scheduler: scheduler)
    }
    let (byteCount, libraries) = try file.finish()
    #expect(byteCount == sink.bytes.count)
    return (sink.bytes, samples, libraries.map(\.name))
  }

  private static func read(_ file: [UInt8], _ format: ImageFormat) throws -> JSONValue {
    let folder = try TemporaryDirectory()
    let path = try folder.write(file, to: "picture.\(format.rawValue)")
    let text = try OraclePython.run("linear_file.py", arguments: ["\(path)"])
    return try #require(try JSONParser.parse(Array(text.utf8))[0])
  }

  private static func shape(_ size: PixelSize, _ channels: Int) -> JSONValue {
    let plane = [JSONValue(size.height), JSONValue(size.width)]
    return .array(channels == 1 ? plane : plane + [JSONValue(channels)])
  }

  @Test(
    .enabled(if: OraclePython.isAvailable, OraclePython.missingComment),
    arguments: [
      (1, 1, ["Y"]), (3, 5, ["R", "G", "B"]), (700, 401, ["R", "G", "B"]),
      (261, 270, ["R", "G1", "G2", "B"]),
    ],
    [LinearSampleFormat.float32, .float16, .uint16(step: 3 / 65_535)]
  )
  func otherReadersSeeTheSamples(
    shape: (Int, Int, [String]),
    format: LinearSampleFormat
  ) throws {
    let size = PixelSize(width: shape.0, height: shape.1)
    let description = LinearImageDescription(
      size: size,
      channels: shape.2,
      sampleFormat: format,
      caption: "value = code"
    )
    let type =
      switch format {
      case .float32: "float32"
      case .float16: "float16"
      case .uint16: "uint16"
      }
    for kind in [ImageFormat.tiff, .exr, .npy] where kind != .exr || format.isFloatingPoint {
      let (file, samples, libraries) = try Self.write(kind, description)
      let report = try Self.read(file, kind)
      #expect(report["type"] == .string(type), "\(kind)")
      #expect(report["shape"] == Self.shape(size, shape.2.count), "\(kind)")
      // OpenEXR's planes have no order; the oracle sorts them by name.
      if kind != .exr || shape.2.count != 4 {
        #expect(report["samplesSHA256"]?.stringValue == SHA256.digest(of: samples).hex, "\(kind)")
      }
      switch kind {
      case .tiff:
        #expect(report["compression"] == 8 && report["tile"] == [256, 256])
        #expect(report["predictor"] == (format.isFloatingPoint ? 3 : 2))
        #expect(report["description"] == "value = code" && report["hasProfile"] == false)
        #expect(libraries == ["libtiff"])
      case .exr:
        #expect(report["channels"] == .array(shape.2.sorted().isEmpty ? [] : order(shape.2)))
        #expect(report["chromaticities"] == nil && report["whiteLuminance"] == nil)
        #expect(libraries == ["OpenEXR"])
      default:
        #expect(report["version"] == [1, 0] && report["aligned"] == true)
        #expect(libraries.isEmpty)
      }
    }
  }

  private func order(_ names: [String]) -> [JSONValue] {
    (names.count == 4 ? names.sorted() : names).map { .string($0) }
  }

  /// Every channel of a file with four comes back as itself.
  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func planesKeepTheirNames() throws {
    let size = PixelSize(width: 5, height: 3)
    let names = ["R", "G1", "G2", "B"]
    let values = try Self.values(size, channels: 4)
    let sink = MemorySink()
    let file = try LinearFiles.begin(
      .exr,
      LinearImageDescription(size: size, channels: names, sampleFormat: .float32),
      metadata: ImageMetadata(),
      to: sink
    )
    let stored = LinearRows.storing(values, rows: 0..<3, as: .float32).rows
    try file.append(stored, scheduler: TileScheduler(laneCount: 1))
    _ = try file.finish()
    // As the oracle gives them: sorted by name.
    var sorted: [UInt8] = []
    for pixel in 0..<15 {
      for name in names.sorted() {
        let place = try #require(names.firstIndex(of: name))
        let start = 16 * pixel + 4 * place
        sorted += stored.bytes[start..<start + 4]
      }
    }
    let report = try Self.read(sink.bytes, .exr)
    #expect(report["samplesSHA256"]?.stringValue == SHA256.digest(of: sorted).hex)
  }

  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func openEXRStatesTheColours() throws {
    let description = LinearImageDescription(
      size: PixelSize(width: 4, height: 2),
      channels: ["R", "G", "B"],
      sampleFormat: .float16,
      colorimetry: Self.rec2020,
      whiteLuminance: 1234.5
    )
    let report = try Self.read(try Self.write(.exr, description).file, .exr)
    let stated = try #require(report["chromaticities"]?.arrayValue).compactMap(\.doubleValue)
    for (value, expected) in zip(
      stated,
      [0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290]
    ) {
      #expect(abs(value - expected) < 1e-7)
    }
    #expect(stated.count == 8)
    #expect(report["whiteLuminance"] == [1234.5])
    let neutral = try #require(report["adoptedNeutral"]?.arrayValue).compactMap(\.doubleValue)
    #expect(neutral.count == 2 && abs(neutral[0] - 0.3127) < 1e-7)
    // Nothing that differs from one run to the next: no time, no host, no owner.
    #expect(
      report["attributes"] == [
        "adoptedNeutral", "channels", "chromaticities", "compression", "dataWindow",
        "displayWindow", "lineOrder", "pixelAspectRatio", "screenWindowCenter",
        "screenWindowWidth", "type", "whiteLuminance",
      ]
    )
  }

  /// The profile's primaries, adapted to D50, are the space's.
  @Test(
    .enabled(if: OraclePython.isAvailable, OraclePython.missingComment),
    arguments: [
      ("Rec. 2020", RGBSpace.rec2020), ("Display P3", .displayP3), ("ProPhoto", .romm),
      ("ACES AP0", .acesAP0),
    ]
  )
  func tiffHasALinearProfile(name: String, space: RGBSpace) throws {
    let description = LinearImageDescription(
      size: PixelSize(width: 4, height: 2),
      channels: ["R", "G", "B"],
      sampleFormat: .float32,
      colorimetry: LinearColorimetry(space, name: name)
    )
    let (file, _, libraries) = try Self.write(.tiff, description)
    #expect(libraries == ["libtiff", "lcms2"])
    let report = try Self.read(file, .tiff)
    #expect(report["name"] == .string("Linear \(name) (rawmill)"))
    let colorants = try #require(report["colorants"]?.arrayValue)
    let toD50 = space.matrix(toXYZUnder: .d50)
    for (column, colorant) in colorants.enumerated() {
      for (row, value) in (colorant.arrayValue ?? []).enumerated() {
        let expected = [toD50.rows[row].x, toD50.rows[row].y, toD50.rows[row].z][column]
        // Profiles have 1/65536 and the ICC's own D50, which is 0.0002 off.
        #expect(abs((value.doubleValue ?? 9) - expected) < 5e-4)
      }
    }
  }

  @Test(arguments: [ImageFormat.tiff, .exr, .npy])
  func lanesDoNotShow(format: ImageFormat) throws {
    let description = LinearImageDescription(
      size: PixelSize(width: 300, height: 530),
      channels: ["R", "G", "B"],
      sampleFormat: .float32,
      colorimetry: Self.rec2020
    )
    let one = try Self.write(format, description, lanes: 1).file
    #expect(try Self.write(format, description, lanes: 3).file == one)
    #expect(try Self.write(format, description, lanes: 1).file == one)
  }

  @Test(arguments: [ImageFormat.tiff, .exr, .npy])
  func hostileShapesAreRefused(format: ImageFormat) throws {
    func begin(_ width: Int, _ height: Int, _ channels: [String] = ["R", "G", "B"]) throws {
      _ = try LinearFiles.begin(
        format,
        LinearImageDescription(
          size: PixelSize(width: width, height: height),
          channels: channels,
          sampleFormat: .float32
        ),
        metadata: ImageMetadata(),
        to: MemorySink()
      )
    }
    for (width, height) in [(0, 1), (1, 0), (-1, 1)] {
      #expect(throws: ImageEncodingError.self) { try begin(width, height) }
    }
    #expect(throws: ImageEncodingError.self) { try begin(1, 1, []) }
    #expect(throws: ImageEncodingError.self) { try begin(1, 1, ["a", "b", "c", "d", "e"]) }
    #expect(throws: ImageEncodingError.self) { try begin(1, 2_000_000) }
    #expect(throws: ImageEncodingError.self) { try begin(Int.max / 2, 1) }
    // 4 GiB and more are beyond classic TIFF.
    if format == .tiff { #expect(throws: ImageEncodingError.self) { try begin(40_000, 40_000) } }
  }

  @Test func integersAreNotForOpenEXR() throws {
    #expect(
      throws: ImageEncodingError.settingInvalid(
        name: "sampleFormat",
        value: "uint16",
        valid: "float32 or float16"
      )
    ) {
      _ = try LinearFiles.begin(
        .exr,
        LinearImageDescription(
          size: PixelSize(width: 1, height: 1),
          channels: ["Y"],
          sampleFormat: .uint16(step: 1)
        ),
        metadata: ImageMetadata(),
        to: MemorySink()
      )
    }
  }

  /// Every single write fails once: always the sink's error.
  @Test(arguments: [ImageFormat.tiff, .exr, .npy])
  func everyFailedWriteIsTyped(format: ImageFormat) throws {
    let description = LinearImageDescription(
      size: PixelSize(width: 300, height: 300),
      channels: ["R", "G", "B"],
      sampleFormat: .float32,
      colorimetry: Self.rec2020
    )
    let values = try Self.values(description.size, channels: 3)
    func write(to sink: MemorySink) throws(ImageEncodingError) {
      let file = try LinearFiles.begin(format, description, metadata: ImageMetadata(), to: sink)
      for rows in [0..<256, 256..<300] {
        try file.append(
          LinearRows.storing(values, rows: rows, as: .float32).rows,
          scheduler: TileScheduler(laneCount: 2)
        )
      }
      _ = try file.finish()
    }
    let whole = MemorySink()
    try write(to: whole)
    #expect(whole.writeCount >= 3)
    for failing in 0..<whole.writeCount {
      let error = #expect(throws: ImageEncodingError.self) {
        try write(to: MemorySink(failingWrite: failing))
      }
      guard case .sink(.writeFailed)? = error else {
        Issue.record("write \(failing): \(String(describing: error))")
        return
      }
    }
  }
}
