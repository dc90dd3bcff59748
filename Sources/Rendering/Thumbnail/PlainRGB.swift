internal import Raster
internal import TIFFContainer

/// An image of a TIFF whose pixels stand in it plainly: chunky RGB of 8 or 16 bits in strips that are not
/// compressed.
///
/// Previews of some DNGs are, and what rawmill writes as TIFF, unless it was asked to compress.
struct PlainRGB {
  /// Rows of one strip each, of the tallest picture.
  static let stripLimit = 65_536
  static let pixelLimit = 500_000_000

  let size: PixelSize
  private let bytesPerSample: Int
  private let isLittleEndian: Bool
  private let rowsPerStrip: Int
  /// Where each strip starts, which lies in the file as a whole.
  private let strips: [Int]

  /// Nil where the image is stored in another way, or not all of it is in the file.
  ///
  /// - Throws: For tags that are there and broken.
  init?(_ directory: TIFFDirectory, _ file: TIFFFile) throws(TIFFReadError) {
    guard try directory.integer(.compression) ?? 1 == 1,
      try directory.integer(.photometricInterpretation) == 2,
      try directory.integer(.samplesPerPixel) == 3,
      try directory.integer(.planarConfiguration) ?? 1 == 1,
      try (directory.integers(.sampleFormat, count: 1...3) ?? [1]).allSatisfy({ $0 == 1 }),
      let width = try directory.integer(.imageWidth),
      let height = try directory.integer(.imageLength),
      (1...65_500).contains(width), (1...65_500).contains(height),
      width * height <= Self.pixelLimit,
      let bits = try directory.integers(.bitsPerSample, count: 3...3),
      bits == [8, 8, 8] || bits == [16, 16, 16],
      let offsets = try directory.offsets(.stripOffsets, count: 1...Self.stripLimit)
    else { return nil }
    size = PixelSize(width: width, height: height)
    bytesPerSample = bits[0] / 8
    isLittleEndian = file.byteOrder == .littleEndian
    rowsPerStrip = min(height, max(1, try directory.integer(.rowsPerStrip) ?? height))
    guard offsets.count == (height + rowsPerStrip - 1) / rowsPerStrip else { return nil }
    var strips: [Int] = []
    for (index, offset) in offsets.enumerated() {
      let rows = min(rowsPerStrip, height - index * rowsPerStrip)
      guard let start = file.position(offset, byteCount: rows * width * 3 * bytesPerSample) else {
        return nil
      }
      strips.append(start)
    }
    self.strips = strips
  }

  /// Every so many pixels both ways, the upper 8 bits of each: at least twice as many as `longEdge` needs,
  /// where there are as many.
  func read(_ file: TIFFFile, longEdge: Int) throws(ThumbnailError) -> Plane<UInt8> {
    let step = max(1, max(size.width, size.height) / (2 * longEdge))
    let width = (size.width + step - 1) / step
    let height = (size.height + step - 1) / step
    var plane = try Plane<UInt8>.ofThumbnail(width: 3 * width, height: height)
    let upper = isLittleEndian ? bytesPerSample - 1 : 0
    for y in 0..<height {
      let row = y * step
      let start =
        strips[row / rowsPerStrip] + row % rowsPerStrip * size.width * 3 * bytesPerSample + upper
      plane.withMutableRow(y) { target in
        for x in 0..<width {
          for channel in 0..<3 {
            target[3 * x + channel] =
              file.bytes[start + (3 * x * step + channel) * bytesPerSample]
          }
        }
      }
    }
    return plane
  }
}
