internal import ColorScience
internal import JPEGCodec
internal import Raster
internal import RawModel

/// A picture for a DNG's preview: in sRGB, smaller, and as the raw is stored, not turned for viewing.
struct PreviewPicture {
  /// Spaces of pictures that are scaled down; both have the sRGB curve.
  enum Space {
    case displayP3
    case sRGB
  }

  let size: PixelSize
  /// Rows of interleaved RGB without padding.
  let samples: [UInt8]

  private static let bandRows = 16

  /// Scales a developed picture down in linear light; each pixel is the mean of what it covers.
  ///
  /// - Parameters:
  ///   - picture: Interleaved RGB of 8 bits, turned for viewing.
  ///   - space: The picture's.
  ///   - longEdge: Of the preview, in pixels; a picture that is smaller keeps its size.
  ///   - orientation: How the picture was turned.
  ///   - scheduler: The lanes; the samples don't depend on their number.
  /// - Throws: `RasterError` where memory was refused.
  init(
    _ picture: borrowing Plane<UInt8>,
    in space: Space = .displayP3,
    longEdge: Int?,
    orientation: Orientation,
    scheduler: TileScheduler
  ) throws(RasterError) {
    let source = PixelSize(width: picture.width / 3, height: picture.height)
    let shown = Self.fit(source, longEdge: longEdge)
    let columns = Self.spans(source.width, into: shown.width)
    let rows = Self.spans(source.height, into: shown.height)
    let tables = space == .sRGB ? PreviewTables.sRGB : .displayP3
    var scaled = try Plane<UInt8>(width: 3 * shown.width, height: shown.height)
    let bands = TileGrid(
      bounds: Region(size: shown),
      tileSize: PixelSize(width: shown.width, height: Self.bandRows)
    )
    scaled.withTileWriter { writer in
      scheduler.forEachTile(of: bands, laneState: { PreviewRow(width: source.width) }) {
        band,
        lane in
        for y in band.region.rows {
          lane.clear()
          for (row, weight) in rows[y].parts {
            picture.withRow(row) { lane.add($0, weight: weight, tables.linear) }
          }
          writer.withRow(y, columns: 0..<3 * shown.width) { target in
            lane.store(columns, area: rows[y].length, tables, into: &target)
          }
        }
      }
    }
    (size, samples) = Self.unturned(scaled, orientation)
  }

  /// The size within a longer edge, at least one pixel each way.
  static func fit(_ size: PixelSize, longEdge: Int?) -> PixelSize {
    let longer = max(size.width, size.height)
    guard let longEdge, longEdge < longer else { return size }
    func scaled(_ side: Int) -> Int { max(1, (side * longEdge + longer / 2) / longer) }
    return PixelSize(width: scaled(size.width), height: scaled(size.height))
  }

  /// What one pixel of a smaller side covers of a larger one: whole pixels and the parts at both ends.
  struct Coverage {
    var parts: [(index: Int, weight: Float)]
    var length: Float
  }

  private static func spans(_ source: Int, into target: Int) -> [Coverage] {
    // In units of 1 / target of a source pixel, so that all ends are whole numbers.
    (0..<target).map { index in
      let (start, end) = (index * source, (index + 1) * source)
      var parts: [(index: Int, weight: Float)] = []
      for pixel in start / target..<(end + target - 1) / target {
        let covered = min(end, (pixel + 1) * target) - max(start, pixel * target)
        parts.append((pixel, Float(covered) / Float(target)))
      }
      return Coverage(parts: parts, length: Float(source) / Float(target))
    }
  }

  /// The picture turned back to how the raw is stored.
  private static func unturned(
    _ picture: borrowing Plane<UInt8>,
    _ orientation: Orientation
  ) -> (PixelSize, [UInt8]) {
    let shown = PixelSize(width: picture.width / 3, height: picture.height)
    let stored = orientation.turned(shown)
    var samples = [UInt8](repeating: 0, count: 3 * stored.pixelCount)
    for y in 0..<shown.height {
      picture.withRow(y) { row in
        for x in 0..<shown.width {
          // Exif 2.32, "Orientation": which sides the stored first row and column are.
          let (right, bottom) = (shown.width - 1 - x, shown.height - 1 - y)
          let (column, line) =
            switch orientation {
            case .up: (x, y)
            case .upMirrored: (right, y)
            case .down: (right, bottom)
            case .downMirrored: (x, bottom)
            case .leftMirrored: (y, x)
            case .right: (y, right)
            case .rightMirrored: (bottom, right)
            case .left: (bottom, x)
            }
          let target = 3 * (line * stored.width + column)
          for channel in 0..<3 { samples[target + channel] = row[3 * x + channel] }
        }
      }
    }
    return (stored, samples)
  }
}

/// From a space with the sRGB curve to linear light and to sRGB.
struct PreviewTables: Sendable {
  /// Linear light of each code.
  let linear: [Float]
  /// The code of linear light in 4,095ths; half a code is a step of it in the deepest shadows.
  let encoded: [UInt8]
  /// Linear light of the space to linear sRGB, row by row.
  let matrix: [Float]

  static let displayP3 = PreviewTables(.displayP3)
  static let sRGB = PreviewTables(.sRGB)

  private init(_ space: RGBSpace) {
    let curve = TransferFunction.sRGB
    linear = (0..<256).map { Float(curve.decode(Double($0) / 255)) }
    encoded = (0..<4096).map { UInt8((curve.encode(Double($0) / 4095) * 255).rounded()) }
    let rows = space.matrix(to: .sRGB).rows
    matrix = (0..<3).flatMap { [Float(rows[$0].x), Float(rows[$0].y), Float(rows[$0].z)] }
  }
}

/// The sum of a preview row's source rows.
private struct PreviewRow {
  private var sums: [Float]

  init(width: Int) {
    sums = [Float](repeating: 0, count: 3 * width)
  }

  mutating func clear() {
    for index in sums.indices { sums[index] = 0 }
  }

  mutating func add(_ row: Span<UInt8>, weight: Float, _ linear: [Float]) {
    for index in row.indices { sums[index] += weight * linear[Int(row[index])] }
  }

  /// Stores the means of what each pixel covers, in sRGB.
  func store(
    _ columns: [PreviewPicture.Coverage],
    area length: Float,
    _ tables: PreviewTables,
    into target: inout MutableSpan<UInt8>
  ) {
    let matrix = tables.matrix
    for (x, column) in columns.enumerated() {
      var (red, green, blue): (Float, Float, Float) = (0, 0, 0)
      for (index, weight) in column.parts {
        red += weight * sums[3 * index]
        green += weight * sums[3 * index + 1]
        blue += weight * sums[3 * index + 2]
      }
      let area = length * column.length
      for channel in 0..<3 {
        let first = matrix[3 * channel] * red
        let second = matrix[3 * channel + 1] * green
        let value = (first + second + matrix[3 * channel + 2] * blue) / area
        let index = Int((min(max(value, 0), 1) * 4095).rounded())
        target[3 * x + channel] = tables.encoded[index]
      }
    }
  }
}

extension PreviewPicture {
  /// The picture as JPEG, with colour at half the resolution.
  ///
  /// `quality` is on libjpeg's scale, 1 to 100.
  func jpeg(quality: Int) throws(JPEGError) -> [UInt8] {
    try JPEGEncoder.encode(
      samples.span,
      size: size,
      stride: 3 * size.width,
      components: 3,
      quality: quality,
      color: .yCbCr420
    )
  }
}
