package import Diagnostics
package import JPEGCodec
package import JPEGXLCodec
package import Raster
internal import RawModel
package import TIFFContainer

/// Why a DNG could not be read.
package enum DNGReadError: Error, Equatable, Sendable {
  /// The TIFF structure or a tag is broken.
  case container(TIFFReadError)
  /// A TIFF without DNGVersion in IFD 0.
  case notDNG
  /// Not a camera profile (`.dcp`): another header, or no colour matrix.
  case notProfile
  /// The file is sound as far as it was read, but uses what is not read yet.
  case unsupported(DNGUnsupportedFeature)
  /// No IFD is a main image with CFA or LinearRaw samples; what the IFDs are.
  case noRawImage(found: String)
  /// The raw is larger than the limits: what, how much, and how much is allowed.
  case tooLarge(String, value: Int, limit: Int)
  /// Memory for the samples was refused.
  case raster(RasterError)
  /// A tag's value doesn't go with the rest of the file.
  case inconsistentTag(TIFFTagSite, reason: String)
  /// WhiteLevel is zero or below.
  case whiteLevelNotPositive(sample: Int, white: Double)
  /// WhiteLevel is not above the largest BlackLevel of its sample, so that no range is left.
  case blackNotBelowWhite(sample: Int, black: Double, white: Double)
  /// A colour matrix that has no inverse.
  case singularMatrix(TIFFTagSite)
  /// Both StripOffsets and TileOffsets, or neither.
  case stripsAndTiles(both: Bool)
  /// A strip or tile ends outside the file.
  case tileOutsideFile(tile: Int, offset: UInt64, byteCount: UInt64, fileSize: Int)
  /// A strip or tile without bytes: a part of the picture is missing.
  case tileMissing(tile: Int)
  /// Two strips or tiles share bytes of the file.
  case tilesOverlap(tile: Int, other: Int)
  /// A strip or tile has fewer bytes than its samples take, compressed or not.
  case tileByteCount(tile: Int, byteCount: Int, least: Int)
  /// An uncompressed strip or tile has more bytes than its samples, and they are no padding.
  case tilePadding(tile: Int, byteCount: Int, samples: Int)
  /// A lossless JPEG strip or tile is damaged.
  case losslessJPEG(tile: Int, LosslessJPEGError)
  /// A lossy JPEG strip or tile is damaged.
  case lossyJPEG(tile: Int, JPEGError)
  /// A Deflate strip or tile is damaged.
  case deflate(tile: Int, DeflateError)
  /// A JPEG XL strip or tile is damaged.
  case jpegXL(tile: Int, JPEGXLError)
  /// The samples of a strip or tile are of another kind than the image's: in which way.
  case tileSamples(tile: Int, String)
  /// The samples don't have the digest that the file states; the tag's name.
  case digestMismatch(tag: String, stated: String, computed: String)
  /// An opcode list is broken.
  case opcodeList(TIFFTagSite, reason: String)
  /// The parameters of one opcode are broken.
  case opcode(TIFFTagSite, index: Int, id: Int, OpcodeFault)
  /// A table of the camera profile is broken.
  case profileTable(TIFFTagSite, reason: String)
  /// The capture data can't be written as a block of its own.
  case exifBlock(TIFFWritingError)
}

extension DNGReadError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .container(let error): error.code
    case .notDNG: "notDNG"
    case .notProfile: "notProfile"
    case .unsupported: "unsupportedFeature"
    case .noRawImage: "noRawImage"
    case .tooLarge: "rawTooLarge"
    case .raster(let error): error.code
    case .inconsistentTag: "tagInconsistent"
    case .whiteLevelNotPositive: "whiteLevelNotPositive"
    case .blackNotBelowWhite: "blackNotBelowWhite"
    case .singularMatrix: "singularMatrix"
    case .stripsAndTiles: "stripsAndTiles"
    case .tileOutsideFile: "byteCountBeyondFile"
    case .tileMissing: "tileMissing"
    case .tilesOverlap: "tilesOverlap"
    case .tileByteCount: "tileByteCount"
    case .tilePadding: "tilePadding"
    case .losslessJPEG(_, let error): error.code
    case .lossyJPEG(_, let error): error.code
    case .deflate(_, let error): error.code
    case .jpegXL(_, let error): error.code
    case .tileSamples: "tileSamples"
    case .digestMismatch: "rawDigestMismatch"
    case .opcodeList: "opcodeListDamaged"
    case .opcode: "opcodeDamaged"
    case .profileTable: "profileTableDamaged"
    case .exifBlock(let error): error.code
    }
  }

  package var message: String {
    switch self {
    case .container(let error):
      error.message
    case .notDNG:
      "the file is a TIFF without DNGVersion (50706) in IFD 0: not a DNG"
    case .notProfile:
      "it is no DNG camera profile: it begins with neither IIRC nor MMCR, or has no ColorMatrix1"
    case .unsupported(let feature):
      "the DNG uses \(feature), which is not supported yet"
    case .noRawImage(let found):
      "the DNG has no main raw image (NewSubFileType 0 with CFA or LinearRaw samples); "
        + "found: \(found)"
    case .tooLarge(let what, let value, let limit):
      "the raw image has \(value) \(what) (limit \(limit))"
    case .raster(let error):
      error.message
    case .inconsistentTag(let site, let reason):
      "\(site) \(reason)"
    case .whiteLevelNotPositive(let sample, let white):
      "WhiteLevel (50717) of sample \(sample) is \(white); it must be above 0"
    case .blackNotBelowWhite(let sample, let black, let white):
      "BlackLevel (50714) of sample \(sample) reaches \(black), which is not below its "
        + "WhiteLevel (50717) of \(white)"
    case .singularMatrix(let site):
      "\(site) is singular: it has no inverse"
    case .stripsAndTiles(true):
      "the raw image has both strips and tiles"
    case .stripsAndTiles(false):
      "the raw image has neither StripOffsets (273) nor TileOffsets (324)"
    case .tileOutsideFile(let tile, let offset, let byteCount, let fileSize):
      "tile \(tile): \(byteCount) bytes at offset \(offset) lie outside the file of "
        + "\(fileSize) bytes"
    case .tileMissing(let tile):
      "tile \(tile) has no bytes: a part of the picture is missing"
    case .tilesOverlap(let tile, let other):
      "tile \(tile) and tile \(other) share bytes of the file"
    case .tileByteCount(let tile, let byteCount, let least):
      "tile \(tile) has \(byteCount) bytes; its samples take \(least) or more"
    case .tilePadding(let tile, let byteCount, let samples):
      "tile \(tile) has \(byteCount) bytes after its samples' \(samples), which are no padding"
    case .losslessJPEG(let tile, let error):
      "tile \(tile): \(error.message)"
    case .lossyJPEG(let tile, let error):
      "tile \(tile): \(error.message)"
    case .deflate(let tile, let error):
      "tile \(tile): \(error.message)"
    case .jpegXL(let tile, let error):
      "tile \(tile): \(error.message)"
    case .tileSamples(let tile, let reason):
      "the samples of tile \(tile) \(reason)"
    case .digestMismatch(let tag, let stated, let computed):
      "the samples have the digest \(computed), the file states \(stated) (\(tag)): the raw data "
        + "is damaged"
    case .opcodeList(let site, let reason):
      "\(site) \(reason)"
    case .opcode(let site, let index, let id, let fault):
      "\(site): opcode \(index) (\(Opcode.Operation.name(id))) \(fault)"
    case .profileTable(let site, let reason):
      "\(site) \(reason)"
    case .exifBlock(let error):
      error.message
    }
  }

  package var disposition: Disposition {
    switch self {
    case .raster(let error): error.disposition
    case .deflate(_, let error): error.disposition
    case .jpegXL(_, let error): error.disposition
    default: .permanent
    }
  }
}
