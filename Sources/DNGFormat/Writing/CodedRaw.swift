internal import Digest
internal import Raster
internal import RawModel
internal import TIFFContainer

/// A raw image as it will be stored: the entries that say how, its coded samples and their digest.
struct CodedRaw {
  let directory: IFDBuilder
  /// Entries that are set where the source has none of its own: WhiteLevel, whose default depends on
  /// the bit depth.
  let defaults: IFDBuilder
  let compression: DNGCompression
  /// As stored, which may be more than asked for.
  let bitsPerSample: Int
  let digest: MD5Digest?
  /// UniqueCameraModel for files without one.
  let cameraModel: String
  /// Tags of the source that are wrong beside it.
  var dropped: Set<TIFFTag> = []

  init(
    _ samples: borrowing Plane<UInt16>,
    _ description: RawDescription,
    settings: DNGOutputSettings,
    byteOrder: TIFFByteOrder,
    scheduler: TileScheduler
  ) throws(DNGWritingError) {
    let encoding: DNGEncoding
    switch settings.compression {
    case .losslessJPEG: encoding = .losslessJPEG()
    case .none: encoding = .uncompressed
    case .deflate, .jpegXL, .lossyJPEG:
      throw .unsupportedBitDepth(
        bitsPerSample: description.bitsPerSample,
        compression: settings.compression.rawValue
      )
    }
    let segments = try RawSegments(
      samples,
      description,
      encoding: encoding,
      byteOrder: byteOrder,
      scheduler: scheduler
    )
    var directory = IFDBuilder()
    directory.setCoding(description, encoding: encoding, coded: segments)
    if let table = description.linearizationTable {
      directory.set(.linearizationTable, shorts: table)
    }
    self.directory = directory
    var defaults = IFDBuilder()
    defaults.setWhiteLevel(description.whiteLevel)
    self.defaults = defaults
    compression = encoding.compression
    bitsPerSample = description.bitsPerSample
    cameraModel = description.capture.anyCameraModel
    digest = NewRawImageDigest.digest(
      of: samples,
      samplesPerPixel: description.layout.samplesPerPixel,
      isByte: description.bitsPerSample <= 8
        || description.linearizationTable.map { $0.count <= 256 } ?? false,
      scheduler: scheduler
    )
  }
}
