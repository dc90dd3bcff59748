package import Diagnostics
package import Raster

/// Why a picture was not encoded.
package enum ImageEncodingError: Error, Equatable, Sendable {
  /// A library that writes outputs.
  package enum Library: String, Sendable {
    case libheif
    case libtiff
    case littleCMS = "lcms2"
    case openEXR = "OpenEXR"
  }

  /// The picture has no pixels, or its row is not a whole number of RGB pixels.
  case pictureShapeInvalid(samplesPerRow: Int, rows: Int)
  /// A side is longer than the format or its common readers can hold.
  case pictureTooLarge(format: ImageFormat, size: PixelSize, limit: Int)
  /// A setting is outside what the encoder takes.
  case settingInvalid(name: String, value: String, valid: String)
  /// The Exif block can't be carried: it is no TIFF structure, or larger than the format allows.
  case exifBlockInvalid(byteCount: Int, reason: String)
  /// The installed library was built without the encoder.
  case encoderMissing(Library, encoder: String)
  /// A library call failed; the text is the library's.
  case libraryFailed(Library, operation: String, detail: String)
  /// The sink did not take the bytes.
  case sink(ByteSinkError)
  /// Memory for planes was refused.
  case raster(RasterError)
}

extension ImageEncodingError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .pictureShapeInvalid: "pictureShapeInvalid"
    case .pictureTooLarge: "pictureTooLarge"
    case .settingInvalid: "encoderSettingInvalid"
    case .exifBlockInvalid: "exifBlockInvalid"
    case .encoderMissing: "encoderMissing"
    case .libraryFailed: "encoderLibraryFailed"
    case .sink(let error): error.code
    case .raster(let error): error.code
    }
  }

  package var message: String {
    switch self {
    case .pictureShapeInvalid(let samplesPerRow, let rows):
      "a picture of \(rows) rows with \(samplesPerRow) samples has no RGB pixels to encode"
    case .pictureTooLarge(let format, let size, let limit):
      "\(size) pixels are too many for \(format.rawValue): no side may exceed \(limit)"
    case .settingInvalid(let name, let value, let valid):
      "\(name) \(value) is not valid for the encoder: \(valid)"
    case .exifBlockInvalid(let byteCount, let reason):
      "the Exif block of \(byteCount) bytes can't be written: \(reason)"
    case .encoderMissing(let library, let encoder):
      "\(library.rawValue) on this host has no \(encoder) encoder: install the one that has"
    case .libraryFailed(let library, let operation, let detail):
      "\(library.rawValue) failed at \(operation): \(detail)"
    case .sink(let error): error.message
    case .raster(let error): error.message
    }
  }

  package var disposition: Disposition {
    switch self {
    case .pictureShapeInvalid, .pictureTooLarge, .settingInvalid, .exifBlockInvalid: .permanent
    case .encoderMissing: .fatalWorker
    case .libraryFailed: .permanent
    case .sink(let error): error.disposition
    case .raster(let error): error.disposition
    }
  }
}
