internal import JPEGCodec
internal import Raster
internal import RawModel
internal import TIFFContainer

/// The image of a TIFF or DNG from which a small picture costs the least: the smallest that is large
/// enough, else the largest.
struct SmallestPreview {
  private enum Content {
    /// A JPEG of three components, as ISO 12234 and DNG store previews.
    case jpeg(Range<Int>)
    case plain(PlainRGB)
  }

  private let content: Content
  private let size: PixelSize
  private let file: TIFFFile
  /// How it is to be turned for viewing.
  let orientation: Orientation

  /// Previews are in sRGB (DNG 1.7.1, "PreviewColorSpace": where nothing else is said); what rawmill
  /// writes as TIFF is in Display P3.
  let space: PreviewPicture.Space

  /// Looks through the images of a file.
  ///
  /// - Throws: `noPicture`, `container`.
  static func find(
    in bytes: [UInt8],
    longEdge: Int
  ) throws(ThumbnailError) -> SmallestPreview {
    let found: [SmallestPreview]
    do throws(TIFFReadError) {
      found = try all(in: TIFFFile(bytes))
    } catch .notTIFF {
      throw .noPicture
    } catch {
      throw .container(error)
    }
    let bySize = found.sorted { $0.size.pixelCount < $1.size.pixelCount }
    guard
      let best = bySize.first(where: { max($0.size.width, $0.size.height) >= longEdge })
        ?? bySize.last
    else { throw .noPicture }
    return best
  }

  private static func all(in file: TIFFFile) throws(TIFFReadError) -> [SmallestPreview] {
    let directories = try file.imageDirectories()
    let isDNG = directories[0].has(.dngVersion)
    let turn = try directories[0].integer(.orientation).flatMap { Orientation(rawValue: $0) }
    var found: [SmallestPreview] = []
    for directory in directories {
      // Of a plain TIFF the picture itself; of a DNG what NewSubFileType calls previews.
      let kind = try directory.integer(.newSubFileType) ?? 0
      guard isDNG ? kind == 1 || kind == 65_537 : kind == 0,
        let (content, size) = try content(of: directory, file)
      else { continue }
      found.append(
        SmallestPreview(
          content: content,
          size: size,
          file: file,
          orientation: turn ?? .up,
          space: isDNG ? .sRGB : .displayP3
        )
      )
    }
    return found
  }

  private static func content(
    of directory: TIFFDirectory,
    _ file: TIFFFile
  ) throws(TIFFReadError) -> (Content, PixelSize)? {
    if let plain = try PlainRGB(directory, file) { return (.plain(plain), plain.size) }
    // JPEG in the sense of TIFF Technical Note 2; in one piece, as previews are.
    guard try directory.integer(.compression) == 7 else { return nil }
    let offsets = try directory.offsets(.stripOffsets, count: 1...PlainRGB.stripLimit) ?? []
    let counts = try directory.integers(.stripByteCounts, count: 1...PlainRGB.stripLimit) ?? []
    guard offsets.count == 1, counts.count == 1,
      let start = file.position(offsets[0], byteCount: counts[0])
    else { return nil }
    let range = start..<start + counts[0]
    guard let header = try? JPEGFrameHeader(file.bytes, range: range), header.isLossy,
      header.precision == 8, header.components == 3, header.size.width > 0, header.size.height > 0,
      header.size.pixelCount <= PlainRGB.pixelLimit
    else { return nil }
    return (.jpeg(range), header.size)
  }

  /// The picture as interleaved RGB of 8 bits; where all pixels are stored plainly, not more of them
  /// than a small picture needs.
  ///
  /// - Throws: `jpeg`, `raster`.
  func read(longEdge: Int) throws(ThumbnailError) -> Plane<UInt8> {
    switch content {
    case .plain(let plain): return try plain.read(file, longEdge: longEdge)
    case .jpeg(let range): return try decode(range)
    }
  }

  private func decode(_ range: Range<Int>) throws(ThumbnailError) -> Plane<UInt8> {
    var samples: [UInt8] = []
    do throws(JPEGError) {
      try JPEGDecoder.decode(
        file.bytes,
        range: range,
        size: size,
        components: 3,
        color: .rgb,
        into: &samples
      )
    } catch {
      throw .jpeg(error)
    }
    var plane = try Plane<UInt8>.ofThumbnail(width: 3 * size.width, height: size.height)
    for y in 0..<size.height {
      let start = y * 3 * size.width
      plane.withMutableRow(y) { row in
        for x in 0..<row.count { row[x] = samples[start + x] }
      }
    }
    return plane
  }
}

extension Plane {
  /// A plane with all bits zero.
  static func ofThumbnail(width: Int, height: Int) throws(ThumbnailError) -> Plane {
    do throws(RasterError) {
      return try Plane(width: width, height: height)
    } catch {
      throw .raster(error)
    }
  }
}
