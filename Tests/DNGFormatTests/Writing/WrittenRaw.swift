import ColorScience
import DNGFormat
import Raster
import RawModel
import TestSupport

/// A raw that a test writes: its size, layout and noise-like samples from a seed.
struct WrittenRaw: Sendable, CustomStringConvertible {
  var width: Int
  var height: Int
  var layout: SampleLayout
  var bits: Int
  var encoding: DNGEncoding
  var linearizationTable: [UInt16]?

  var description: String {
    "\(width)x\(height) \(layout) \(bits) bits \(encoding)"
  }

  /// The samples in row order, interleaved.
  func samples() -> [UInt16] {
    var generator = SeededGenerator(seed: UInt64(width * 1000 + height))
    let planes = layout.samplesPerPixel
    let full = (1 << bits) - 1
    return (0..<width * height * planes).map { index in
      let (pixel, plane) = index.quotientAndRemainder(dividingBy: planes)
      let slope = (pixel % width * 3 + pixel / width * 5) * full / 4000
      let noise = Int.random(in: 0...max(1, full / 50), using: &generator)
      return UInt16(clamping: min(full, slope + noise + plane * full / 7))
    }
  }

  func frame() throws -> RawFrame { try frame(samples()) }

  /// A frame of these samples, in row order.
  func frame(_ samples: [UInt16]) throws -> RawFrame {
    let planes = layout.samplesPerPixel
    var plane = try Plane<UInt16>(width: width * planes, height: height)
    for y in 0..<height {
      plane.withMutableRow(y) { row in
        for x in row.indices { row[x] = samples[y * width * planes + x] }
      }
    }
    return RawFrame(samples: plane, description: rawDescription)
  }

  var rawDescription: RawDescription {
    let planes = layout.samplesPerPixel
    let size = PixelSize(width: width, height: height)
    return RawDescription(
      size: size,
      layout: layout,
      bitsPerSample: bits,
      linearizationTable: linearizationTable,
      blackLevel: BlackLevel(
        repeatRows: 1,
        repeatColumns: 1,
        samplesPerPixel: planes,
        values: [Double](repeating: 4, count: planes)
      ),
      whiteLevel: [Double](
        repeating: linearizationTable.map { Double($0.last ?? 0) } ?? Double((1 << bits) - 1),
        count: planes
      ),
      activeArea: Region(size: size),
      defaultCrop: DefaultCrop(
        originX: 0,
        originY: 0,
        width: Double(width),
        height: Double(height)
      ),
      orientation: .up,
      color: CameraColor(
        calibrations: [
          CameraColor.Calibration(
            illuminant: 21,
            colorMatrix: Matrix3(
              Vector3(1.0234, -0.2969, -0.2266),
              Vector3(-0.5625, 1.6328, -0.0469),
              Vector3(-0.0703, 0.2188, 0.6406)
            )
          )
        ],
        asShotWhite: .neutral(Vector3(0.5, 1, 0.625))
      ),
      capture: CaptureMetadata(make: "Test", model: "Writer", uniqueCameraModel: "Test Writer")
    )
  }

  /// The file, by the writer under test.
  func file(lanes: Int = 1) throws -> [UInt8] {
    try DNGWriter.write(
      frame(),
      encoding: encoding,
      metadata: DNGMetadata(software: "rawmill tests", dateTime: "2024:05:01 10:00:00"),
      scheduler: TileScheduler(laneCount: lanes)
    )
  }

  /// Every combination that is written, on frames with one and with several tiles.
  static let all: [WrittenRaw] = {
    var all: [WrittenRaw] = []
    for (width, height) in [(64, 48), (98, 62), (1024, 300)] {
      for bits in [8, 10, 12, 14, 16] {
        all.append(
          WrittenRaw(
            width: width,
            height: height,
            layout: .mosaic(.rggb),
            bits: bits,
            encoding: .uncompressed
          )
        )
      }
      for bits in [12, 14, 16] {
        all.append(
          WrittenRaw(
            width: width,
            height: height,
            layout: .mosaic(.gbrg),
            bits: bits,
            encoding: .losslessJPEG()
          )
        )
        all.append(
          WrittenRaw(
            width: width,
            height: height,
            layout: .linear(planes: 3),
            bits: bits,
            encoding: .losslessJPEG()
          )
        )
      }
      for pattern in CFAPattern.allCases {
        all.append(
          WrittenRaw(
            width: width,
            height: height,
            layout: .mosaic(pattern),
            bits: 14,
            encoding: .losslessJPEG(tileSize: PixelSize(width: 48, height: 16))
          )
        )
      }
      all.append(
        WrittenRaw(
          width: width,
          height: height,
          layout: .linear(planes: 3),
          bits: 16,
          encoding: .losslessJPEG(predictor: .average)
        )
      )
      all.append(
        WrittenRaw(
          width: width,
          height: height,
          layout: .linear(planes: 3),
          bits: 16,
          encoding: .uncompressed
        )
      )
    }
    return all
  }()
}
