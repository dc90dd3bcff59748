package import DNGFormat
package import Diagnostics

/// Why a file could not be decoded as a raw.
package enum RawDecodeError: Error, Equatable, Sendable {
  /// A DNG that could not be read.
  case dng(DNGReadError)
  /// A camera raw of a format that is not supported yet, by its name.
  case unsupportedRaw(String)
  /// A picture, but no raw: JPEG, TIFF, PNG …
  case notRaw(String)
  /// The file has no bytes.
  case emptyFile
  /// No format that is known.
  case unknownFormat
}

extension RawDecodeError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .dng(let error): error.code
    case .unsupportedRaw: "unsupportedRaw"
    case .notRaw: "notRaw"
    case .emptyFile: "emptyFile"
    case .unknownFormat: "unknownFormat"
    }
  }

  package var message: String {
    switch self {
    case .dng(let error):
      error.message
    case .unsupportedRaw(let kind):
      "the file is a \(kind); only DNG is supported yet"
    case .notRaw(let kind):
      "the file is a \(kind), not a camera raw, whatever its name says"
    case .emptyFile:
      "the file is empty"
    case .unknownFormat:
      "the file is in no known format: neither a DNG nor another camera raw"
    }
  }

  package var disposition: Disposition {
    switch self {
    case .dng(let error): error.disposition
    case .unsupportedRaw, .notRaw, .emptyFile, .unknownFormat: .permanent
    }
  }
}
