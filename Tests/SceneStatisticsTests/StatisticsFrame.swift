import ColorScience
import Raster
import RawModel

/// Raws of computed samples.
enum StatisticsFrame {
  static func description(
    _ size: PixelSize,
    layout: SampleLayout = .mosaic(.rggb),
    black: BlackLevel? = nil,
    white: Double = 65535,
    table: [UInt16]? = nil,
    activeArea: Region? = nil,
    crop: DefaultCrop? = nil
  ) -> RawDescription {
    let planes = layout.samplesPerPixel
    let active = activeArea ?? Region(size: size)
    return RawDescription(
      size: size,
      layout: layout,
      bitsPerSample: 16,
      linearizationTable: table,
      blackLevel: black
        ?? BlackLevel(
          repeatRows: 1,
          repeatColumns: 1,
          samplesPerPixel: planes,
          values: Array(repeating: 0, count: planes)
        ),
      whiteLevel: Array(repeating: white, count: planes),
      activeArea: active,
      defaultCrop: crop
        ?? DefaultCrop(
          originX: 0,
          originY: 0,
          width: Double(active.width),
          height: Double(active.height)
        ),
      orientation: .up,
      color: CameraColor(calibrations: [], asShotWhite: .unknown),
      capture: CaptureMetadata()
    )
  }

  /// A frame of `value(x, y)`, x counting samples.
  static func frame(
    _ description: RawDescription,
    _ value: (Int, Int) -> Int
  ) throws -> RawFrame {
    var plane = try Plane<UInt16>(
      width: description.size.width * description.layout.samplesPerPixel,
      height: description.size.height
    )
    for y in 0..<plane.height {
      plane.withMutableRow(y) { row in
        for x in 0..<row.count { row[x] = UInt16(value(x, y)) }
      }
    }
    return RawFrame(samples: plane, description: description)
  }
}
