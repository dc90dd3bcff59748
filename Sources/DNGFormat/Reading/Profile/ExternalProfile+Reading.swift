package import RawModel
internal import TIFFContainer

extension ExternalProfile {
  /// Reads a `.dcp` file: a TIFF structure whose header says `IIRC` or `MMCR`, and whose one directory has the
  /// profile's tags (DNG 1.7.1 chapter 6, "ExtraCameraProfiles").
  ///
  /// - Throws: `notProfile`, or what is wrong with a tag.
  package init(_ file: [UInt8]) throws(DNGReadError) {
    guard file.count >= 8 else { throw .notProfile }
    let isLittleEndian = file.starts(with: "IIRC".utf8)
    guard isLittleEndian || file.starts(with: "MMCR".utf8) else { throw .notProfile }
    // The rest is that of a TIFF, whose version stands where these letters do.
    var bytes = file
    bytes[2] = isLittleEndian ? 42 : 0
    bytes[3] = isLittleEndian ? 0 : 42
    let directories: [DNGDirectory]
    do {
      directories = try TIFFFile(bytes).imageDirectories().map(DNGDirectory.init)
    } catch {
      throw .container(error)
    }
    guard let main = directories.first else { throw .notProfile }
    // What only informs may be damaged; the matrices and tables may not.
    var warnings = ReadWarnings()
    let color = try CameraColor(main, planes: 3, &warnings)
    guard !color.calibrations.isEmpty else { throw .notProfile }
    self.init(
      cameraModel: try main.text(.uniqueCameraModel),
      calibrations: color.calibrations,
      profile: try CameraProfile(
        main,
        calibrationCount: color.calibrations.count,
        &warnings
      )
    )
  }
}
