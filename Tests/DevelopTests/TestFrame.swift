import ColorScience
import Develop
import Raster
import RawModel
import TestSupport

/// Descriptions and frames of pictures that tests compute.
enum TestFrame {
  /// A camera whose values are linear Display P3: its ColorMatrix is the space's own, its white D65.
  static let displayP3Camera = CameraColor(
    calibrations: [.init(illuminant: 21, colorMatrix: RGBSpace.displayP3.fromXYZ)],
    asShotWhite: .neutral(Vector3(1, 1, 1))
  )

  /// A real camera (a crop of whose photographs stands in the corpus), calibrated for D65.
  static let nikon = CameraColor(
    calibrations: [
      .init(
        illuminant: 21,
        colorMatrix: Matrix3(
          Vector3(0.9020, -0.2890, -0.0715),
          Vector3(-0.4535, 1.2436, 0.2348),
          Vector3(-0.0934, 0.1919, 0.7086)
        )
      )
    ],
    asShotWhite: .neutral(Vector3(0.51303, 1, 0.74419))
  )

  static func description(
    _ width: Int,
    _ height: Int,
    layout: SampleLayout,
    color: CameraColor = displayP3Camera,
    white: Double = 65535,
    black: Double = 0,
    orientation: Orientation = .up
  ) -> RawDescription {
    let samples = layout.samplesPerPixel
    return RawDescription(
      size: PixelSize(width: width, height: height),
      layout: layout,
      bitsPerSample: 16,
      linearizationTable: nil,
      blackLevel: BlackLevel(
        repeatRows: 1,
        repeatColumns: 1,
        samplesPerPixel: samples,
        values: Array(repeating: black, count: samples)
      ),
      whiteLevel: Array(repeating: white, count: samples),
      activeArea: Region(left: 0, top: 0, width: width, height: height),
      defaultCrop: DefaultCrop(
        originX: 0,
        originY: 0,
        width: Double(width),
        height: Double(height)
      ),
      orientation: orientation,
      color: color,
      capture: CaptureMetadata()
    )
  }

  /// A frame whose stored samples are `code(sample column, row)`.
  static func frame(
    _ description: RawDescription,
    _ code: (Int, Int) -> UInt16
  ) throws -> RawFrame {
    let samples = description.layout.samplesPerPixel
    var plane = try Plane<UInt16>(
      width: description.size.width * samples,
      height: description.size.height
    )
    for y in 0..<plane.height {
      plane.withMutableRow(y) { row in
        for x in row.indices { row[x] = code(x, y) }
      }
    }
    return RawFrame(samples: plane, description: description)
  }

  /// Noise over a coarse texture, for any layout, with a sample of 60,000 where it is asked for.
  static func noise(_ description: RawDescription, seed: UInt64, hot: (x: Int, y: Int)? = nil)
    throws -> RawFrame
  {
    var generator = SeededGenerator(seed: seed)
    return try frame(description) { x, y in
      if let hot, hot.x == x && hot.y == y { return 60_000 }
      let texture = ((x / 6 + y / 5) % 4) * 15000
      return UInt16(min(65535, texture + Int.random(in: 0..<9000, using: &generator)))
    }
  }
}
