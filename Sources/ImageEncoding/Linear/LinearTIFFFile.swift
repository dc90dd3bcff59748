internal import CLibTIFF
internal import Raster

/// TIFF of linear samples: Deflate with a predictor, in tiles of 256 pixels, with the capture's Exif.
///
/// No time of processing and no version is written: the same picture gives the same bytes.
final class LinearTIFFFile: LinearFile {
  private static let tileSide = 256
  /// zlib's level.
  ///
  /// Sensor noise fills the low bits of the samples: more effort finds next to nothing.
  private static let level: UInt32 = 2

  private let description: LinearImageDescription
  private var handle: TIFFHandle?
  private var tileIndex = 0
  private let hasProfile: Bool

  init(
    _ description: LinearImageDescription,
    metadata: ImageMetadata,
    to sink: any ByteSink
  ) throws(ImageEncodingError) {
    try description.validate(.tiff, sideLimit: TIFFEncoder.sideLimit)
    guard description.rowByteCount * description.size.height <= TIFFEncoder.pixelByteLimit else {
      throw .pictureTooLarge(format: .tiff, size: description.size, limit: TIFFEncoder.sideLimit)
    }
    try metadata.validate()
    let profile = try description.colorimetry.flatMap { (color) throws(ImageEncodingError) in
      color.isRGB ? try ICCProfile(linear: color) : nil
    }
    let capture = try CaptureFields(metadata)
    let file = try TIFFHandle.create(sink, prologue: capture.structure)
    let channels = description.channels.count
    try file.set(TIFFTAG_IMAGEWIDTH, .integer(UInt32(description.size.width)))
    try file.set(TIFFTAG_IMAGELENGTH, .integer(UInt32(description.size.height)))
    try file.set(TIFFTAG_TILEWIDTH, .integer(UInt32(Self.tileSide)))
    try file.set(TIFFTAG_TILELENGTH, .integer(UInt32(Self.tileSide)))
    try file.set(TIFFTAG_BITSPERSAMPLE, .integer(UInt32(8 * description.sampleFormat.byteCount)))
    try file.set(TIFFTAG_SAMPLESPERPIXEL, .integer(UInt32(channels)))
    let isFloat = description.sampleFormat.isFloatingPoint
    try file.set(
      TIFFTAG_SAMPLEFORMAT,
      .integer(UInt32(isFloat ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT))
    )
    try file.set(
      TIFFTAG_PHOTOMETRIC,
      .integer(UInt32(channels == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK))
    )
    if channels != 1 && channels != 3 {
      try file.set(TIFFTAG_EXTRASAMPLES, .unspecifiedSamples(channels - 1))
    }
    try file.set(TIFFTAG_PLANARCONFIG, .integer(UInt32(PLANARCONFIG_CONTIG)))
    try file.set(TIFFTAG_ORIENTATION, .integer(UInt32(ORIENTATION_TOPLEFT)))
    try file.set(TIFFTAG_COMPRESSION, .integer(UInt32(COMPRESSION_ADOBE_DEFLATE)))
    try file.set(
      TIFFTAG_PREDICTOR,
      .integer(UInt32(isFloat ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL))
    )
    try file.set(TIFFTAG_ZIPQUALITY, .integer(Self.level))
    // Required of RGB files (TIFF 6.0 section 6); photographs have no size of their own.
    try file.set(TIFFTAG_XRESOLUTION, .real(72))
    try file.set(TIFFTAG_YRESOLUTION, .real(72))
    try file.set(TIFFTAG_RESOLUTIONUNIT, .integer(UInt32(RESUNIT_INCH)))
    try file.set(TIFFTAG_SOFTWARE, .text("rawmill"))
    if let profile { try file.set(TIFFTAG_ICCPROFILE, .bytes(profile.bytes)) }
    try capture.set(in: file)
    if !description.caption.isEmpty {
      try file.set(TIFFTAG_IMAGEDESCRIPTION, .text(description.caption))
    }
    self.description = description
    hasProfile = profile != nil
    handle = consume file
  }

  func append(
    _ rows: LinearRows,
    scheduler: TileScheduler
  ) throws(ImageEncodingError) {
    let side = Self.tileSide
    let pixel = description.channels.count * description.sampleFormat.byteCount
    let tileRow = side * pixel
    for left in stride(from: 0, to: description.size.width, by: side) {
      // What lies beyond the picture stays 0.
      var tile = [UInt8](repeating: 0, count: side * tileRow)
      let count = min(side, description.size.width - left) * pixel
      for y in 0..<rows.rowCount {
        let start = y * description.rowByteCount + left * pixel
        tile.replaceSubrange(
          y * tileRow..<y * tileRow + count,
          with: rows.bytes[start..<start + count]
        )
      }
      try handle?.writeTile(tileIndex, &tile)
      tileIndex += 1
    }
  }

  func finish() throws(ImageEncodingError) -> (byteCount: Int, libraries: [LibraryVersion]) {
    guard let handle = handle.take() else {
      throw .libraryFailed(.libtiff, operation: "directory", detail: "the file is finished")
    }
    let byteCount = try handle.close()
    return (byteCount, [libtiffVersion()] + (hasProfile ? [littleCMSVersion()] : []))
  }
}
