package import Raster
internal import TIFFContainer

/// Which previews a written DNG has.
package enum DNGPreviews: Sendable {
  /// Those of the original, as they are.
  case kept
  /// None: IFD 0 has the raw image.
  case none
  /// A thumbnail in IFD 0, and others in SubIFDs behind the raw image.
  case rendered(thumbnail: DNGPreview, others: [DNGPreview])
}

/// A preview: a baseline JPEG of 8-bit YCbCr in the sRGB space.
package struct DNGPreview: Sendable {
  package let size: PixelSize
  /// The whole JPEG stream.
  package let jpeg: [UInt8]
  /// Luminance samples for each of chrominance, horizontally and vertically (YCbCrSubSampling, 530).
  package let subsampling: (horizontal: Int, vertical: Int)
  /// The program that rendered it (50966).
  package let application: String
  /// Its version (50967).
  package let applicationVersion: String

  package init(
    size: PixelSize,
    jpeg: [UInt8],
    subsampling: (horizontal: Int, vertical: Int),
    application: String,
    applicationVersion: String
  ) {
    self.size = size
    self.jpeg = jpeg
    self.subsampling = subsampling
    self.application = application
    self.applicationVersion = applicationVersion
  }

  /// The image's directory: one strip (DNG 1.7.1 chapter 3, "Previews").
  var directory: IFDBuilder {
    var directory = IFDBuilder()
    directory.set(.newSubFileType, long: 1)
    directory.set(.imageWidth, long: UInt32(clamping: size.width))
    directory.set(.imageLength, long: UInt32(clamping: size.height))
    directory.set(.bitsPerSample, shorts: [8, 8, 8])
    directory.set(.compression, short: UInt16(DNGCompression.jpeg.rawValue))
    directory.set(.photometricInterpretation, short: UInt16(DNGPhotometric.yCbCr.rawValue))
    directory.set(.samplesPerPixel, short: 3)
    directory.set(.rowsPerStrip, long: UInt32(clamping: size.height))
    directory.set(.planarConfiguration, short: 1)
    // TIFF 6.0 section 21: JPEG's own matrix, full range, chrominance between the luminance samples.
    directory.set(
      .yCbCrSubSampling,
      shorts: [UInt16(clamping: subsampling.horizontal), UInt16(clamping: subsampling.vertical)]
    )
    directory.set(.yCbCrPositioning, short: 1)
    directory.set(
      .referenceBlackWhite,
      rationals: [0, 255, 128, 255, 128, 255].map { TIFFRational($0, 1) }
    )
    directory.set(.previewApplicationName, ascii: application)
    directory.set(.previewApplicationVersion, ascii: applicationVersion)
    // 2: sRGB.
    directory.set(.previewColorSpace, long: 2)
    directory.setImageData(offsets: .stripOffsets, byteCounts: .stripByteCounts, segments: [jpeg])
    return directory
  }
}
