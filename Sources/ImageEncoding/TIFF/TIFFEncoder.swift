internal import CLibTIFF
package import Raster

/// Writes RGB TIFF of 8 or 16 bits a channel, with ICC profile and the capture's Exif.
///
/// No time of processing and no version is written: the same picture gives the same bytes.
package enum TIFFEncoder {
  /// Classic TIFF has 32-bit offsets; a mebibyte is left for everything but the pixels.
  package static var pixelByteLimit: Int { (4 << 30) - (1 << 20) }
  /// Sides that common readers take (libjpeg's limit, which many of them share).
  package static var sideLimit: Int { 65500 }

  /// Encodes one picture of 8 bits a channel.
  ///
  /// `picture` has rows of interleaved RGB, `3 * width` samples, coded with the curve of the settings'
  /// colour space.
  package static func encode(
    _ picture: borrowing Plane<UInt8>,
    settings: TIFFSettings,
    metadata: ImageMetadata,
    to sink: any ByteSink
  ) throws(ImageEncodingError) -> EncodedImage {
    try encode(samples: picture, bitDepth: 8, settings: settings, metadata: metadata, to: sink)
  }

  /// Encodes one picture of 16 bits a channel; see `encode` for 8.
  package static func encode(
    _ picture: borrowing Plane<UInt16>,
    settings: TIFFSettings,
    metadata: ImageMetadata,
    to sink: any ByteSink
  ) throws(ImageEncodingError) -> EncodedImage {
    try encode(samples: picture, bitDepth: 16, settings: settings, metadata: metadata, to: sink)
  }

  private static func encode<Sample: FixedWidthInteger & BitwiseCopyable>(
    samples picture: borrowing Plane<Sample>,
    bitDepth: Int,
    settings: TIFFSettings,
    metadata: ImageMetadata,
    to sink: any ByteSink
  ) throws(ImageEncodingError) -> EncodedImage {
    let size = try rgbSize(of: picture)
    let rowByteCount = size.width * 3 * MemoryLayout<Sample>.stride
    guard
      size.width <= sideLimit, size.height <= sideLimit,
      rowByteCount * size.height <= pixelByteLimit
    else { throw .pictureTooLarge(format: .tiff, size: size, limit: sideLimit) }
    try metadata.validate()
    let profile = try ICCProfile(settings.colorSpace)
    let capture = try CaptureFields(metadata)

    let file = try TIFFHandle.create(sink, prologue: capture.structure)
    // Strips of about a megabyte; whole rows.
    let rowsPerStrip = min(size.height, max(1, (1 << 20) / rowByteCount))
    try file.set(TIFFTAG_IMAGEWIDTH, .integer(UInt32(size.width)))
    try file.set(TIFFTAG_IMAGELENGTH, .integer(UInt32(size.height)))
    try file.set(TIFFTAG_BITSPERSAMPLE, .integer(UInt32(bitDepth)))
    try file.set(TIFFTAG_SAMPLESPERPIXEL, .integer(3))
    try file.set(TIFFTAG_SAMPLEFORMAT, .integer(UInt32(SAMPLEFORMAT_UINT)))
    try file.set(TIFFTAG_PHOTOMETRIC, .integer(UInt32(PHOTOMETRIC_RGB)))
    try file.set(TIFFTAG_PLANARCONFIG, .integer(UInt32(PLANARCONFIG_CONTIG)))
    try file.set(TIFFTAG_ORIENTATION, .integer(UInt32(ORIENTATION_TOPLEFT)))
    try file.set(TIFFTAG_ROWSPERSTRIP, .integer(UInt32(rowsPerStrip)))
    switch settings.compression {
    case .none:
      try file.set(TIFFTAG_COMPRESSION, .integer(UInt32(COMPRESSION_NONE)))
    case .deflate:
      try file.set(TIFFTAG_COMPRESSION, .integer(UInt32(COMPRESSION_ADOBE_DEFLATE)))
      try file.set(TIFFTAG_PREDICTOR, .integer(UInt32(PREDICTOR_HORIZONTAL)))
    }
    // Required of RGB files (TIFF 6.0 section 6); photographs have no size of their own.
    try file.set(TIFFTAG_XRESOLUTION, .real(72))
    try file.set(TIFFTAG_YRESOLUTION, .real(72))
    try file.set(TIFFTAG_RESOLUTIONUNIT, .integer(UInt32(RESUNIT_INCH)))
    try file.set(TIFFTAG_SOFTWARE, .text("rawmill"))
    try file.set(TIFFTAG_ICCPROFILE, .bytes(profile.bytes))
    try capture.set(in: file)

    var strip: [UInt8] = []
    strip.reserveCapacity(rowsPerStrip * rowByteCount)
    for (index, top) in stride(from: 0, to: size.height, by: rowsPerStrip).enumerated() {
      strip.removeAll(keepingCapacity: true)
      for y in top..<min(top + rowsPerStrip, size.height) {
        picture.withRow(y) { row in appendSamples(row, to: &strip) }
      }
      try file.writeStrip(index, &strip)
    }
    let byteCount = try file.close()
    return EncodedImage(
      byteCount: byteCount,
      size: size,
      format: .tiff,
      colorSpace: settings.colorSpace,
      bitDepth: bitDepth,
      libraries: [libtiffVersion(), littleCMSVersion()]
    )
  }
}

/// Appends samples as the host has them: libtiff swaps them itself where the file's order differs.
private func appendSamples<Sample: BitwiseCopyable>(
  _ row: Span<Sample>,
  to bytes: inout [UInt8]
) {
  // Integers have no padding: every byte of the span is initialised.
  unsafe row.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
}
