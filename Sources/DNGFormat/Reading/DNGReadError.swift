package import Diagnostics
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
  /// An uncompressed strip or tile has another number of bytes than its samples.
  case tileByteCount(tile: Int, byteCount: Int, expected: Int)
  /// A lossless JPEG strip or tile is damaged.
  case losslessJPEG(tile: Int, LosslessJPEGError)
  /// The samples don't have the digest that the file states (NewRawImageDigest, 51111).
  case digestMismatch(stated: String, computed: String)
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
    case .losslessJPEG(_, let error): error.code
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
    case .tileByteCount(let tile, let byteCount, let expected):
      "tile \(tile) has \(byteCount) bytes; its samples take \(expected)"
    case .losslessJPEG(let tile, let error):
      "tile \(tile): \(error.message)"
    case .digestMismatch(let stated, let computed):
      "the samples have the digest \(computed), the file states \(stated) "
        + "(NewRawImageDigest, 51111): the raw data is damaged"
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
    default: .permanent
    }
  }
}
