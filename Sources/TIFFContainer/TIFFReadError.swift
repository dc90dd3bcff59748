package import Diagnostics

/// What can be wrong with a TIFF structure; offsets and sizes are in bytes from the file's start.
package enum TIFFReadError: Error, Equatable, Sendable {
  /// The file doesn't start with a TIFF header.
  case notTIFF
  /// The file ends within the header.
  case truncatedHeader(fileSize: Int)
  /// A BigTIFF header with an offset size other than 8.
  case bigTIFFOffsetSize(Int)
  /// An IFD starts or ends outside the file.
  case directoryOutsideFile(directory: String, offset: UInt64, fileSize: Int)
  /// An IFD without entries.
  case emptyDirectory(directory: String)
  /// An IFD that was met before: a loop, or two pointers to one IFD.
  case directoryLoop(directory: String, offset: UInt64)
  /// More IFDs than are read.
  case tooManyDirectories(limit: Int)
  /// More entries than are read.
  case tooManyEntries(directory: String, count: UInt64, limit: Int)
  /// SubIFDs within SubIFDs, deeper than are read.
  case directoriesTooDeep(directory: String, limit: Int)
  /// A needed tag is missing.
  case missingTag(TIFFTagSite)
  /// A tag that is needed once stands there twice.
  case duplicateTag(TIFFTagSite)
  /// A tag has a type that doesn't go with its meaning.
  case wrongType(TIFFTagSite, storedType: UInt16)
  /// A tag has another number of values than its meaning needs.
  case wrongCount(TIFFTagSite, count: UInt64, expected: String)
  /// A tag's values are more than are read.
  case tooManyValues(TIFFTagSite, count: UInt64, limit: Int)
  /// A tag's values lie outside the file.
  case valueOutsideFile(TIFFTagSite, offset: UInt64, byteCount: UInt64, fileSize: Int)
  /// A value can't be: too large, negative, not a number.
  case invalidValue(TIFFTagSite, value: String, expected: String)
}

extension TIFFReadError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .notTIFF: "notTIFF"
    case .truncatedHeader: "tiffTruncatedHeader"
    case .bigTIFFOffsetSize: "tiffOffsetSize"
    case .directoryOutsideFile: "ifdOutsideFile"
    case .emptyDirectory: "ifdEmpty"
    case .directoryLoop: "ifdLoop"
    case .tooManyDirectories: "ifdTooMany"
    case .tooManyEntries: "ifdTooManyEntries"
    case .directoriesTooDeep: "ifdTooDeep"
    case .missingTag: "tagMissing"
    case .duplicateTag: "tagDuplicate"
    case .wrongType: "tagWrongType"
    case .wrongCount: "tagWrongCount"
    case .tooManyValues: "tagTooManyValues"
    case .valueOutsideFile: "tagValueOutsideFile"
    case .invalidValue: "tagInvalidValue"
    }
  }

  package var message: String {
    switch self {
    case .notTIFF:
      "the file does not start with a TIFF header (II or MM)"
    case .truncatedHeader(let fileSize):
      "the file ends within its TIFF header, after \(fileSize) bytes"
    case .bigTIFFOffsetSize(let size):
      "the BigTIFF header declares \(size)-byte offsets; only 8 are defined"
    case .directoryOutsideFile(let directory, let offset, let fileSize):
      "\(directory) at offset \(offset) reaches outside the file of \(fileSize) bytes"
    case .emptyDirectory(let directory):
      "\(directory) has no entries"
    case .directoryLoop(let directory, let offset):
      "\(directory) points to the IFD at offset \(offset), which was read before: a loop"
    case .tooManyDirectories(let limit):
      "the file has more than \(limit) IFDs"
    case .tooManyEntries(let directory, let count, let limit):
      "\(directory) declares \(count) entries (limit \(limit))"
    case .directoriesTooDeep(let directory, let limit):
      "\(directory) has SubIFDs more than \(limit) levels deep"
    case .missingTag(let site):
      "\(site) is missing"
    case .duplicateTag(let site):
      "\(site) is there more than once"
    case .wrongType(let site, let storedType):
      "\(site) has the unsuitable type \(Self.typeName(storedType))"
    case .wrongCount(let site, let count, let expected):
      "\(site) has \(count) values; expected \(expected)"
    case .tooManyValues(let site, let count, let limit):
      "\(site) has \(count) values (limit \(limit))"
    case .valueOutsideFile(let site, let offset, let byteCount, let fileSize):
      "\(site): \(byteCount) bytes at offset \(offset) lie outside the file of \(fileSize) bytes"
    case .invalidValue(let site, let value, let expected):
      "\(site) is \(value); expected \(expected)"
    }
  }

  package var disposition: Disposition { .permanent }

  private static func typeName(_ storedType: UInt16) -> String {
    guard let type = TIFFFieldType(rawValue: storedType) else { return "\(storedType)" }
    return "\(type) (\(storedType))"
  }
}
