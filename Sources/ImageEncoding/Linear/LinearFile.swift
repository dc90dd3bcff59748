package import Raster

/// A linear picture that is being written, band by band from the top.
///
/// The same rows give the same bytes, however they are cut into bands of `bandRowCount` rows and for any
/// number of lanes.
package protocol LinearFile: AnyObject {
  /// Writes the next rows: `LinearFiles.bandRowCount`, fewer at the end.
  func append(
    _ rows: LinearRows,
    scheduler: TileScheduler
  ) throws(ImageEncodingError)

  /// Writes what is left and ends the file.
  ///
  /// - Returns: The file's length and the libraries that had a part in it.
  func finish() throws(ImageEncodingError) -> (byteCount: Int, libraries: [LibraryVersion])
}

package enum LinearFiles {
  /// Rows of a band: a row of TIFF's tiles, sixteen chunks of OpenEXR.
  package static let bandRowCount = 256

  /// Begins a file.
  ///
  /// - Throws: `pictureTooLarge`, `settingInvalid` for samples that the format doesn't have, or what the
  ///   sink or a library said.
  package static func begin(
    _ format: ImageFormat,
    _ description: LinearImageDescription,
    metadata: ImageMetadata,
    to sink: any ByteSink
  ) throws(ImageEncodingError) -> any LinearFile {
    switch format {
    case .tiff: try LinearTIFFFile(description, metadata: metadata, to: sink)
    case .exr: try OpenEXRFile(description, to: sink)
    case .npy: try NPYFile(description, to: sink)
    case .heic, .dng, .json:
      throw .settingInvalid(name: "format", value: format.rawValue, valid: "tiff, exr or npy")
    }
  }
}
