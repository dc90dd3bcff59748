internal import RawModel
internal import TIFFContainer

extension CameraProfile {
  /// The profile of IFD 0 (DNG 1.7.1 chapter 6) but for its matrices.
  ///
  /// `calibrationCount` is how many calibrations the file has; a map for each is read.
  ///
  /// - Throws: `container`, `profileTable`.
  init(
    _ file: DNGFile,
    calibrationCount: Int,
    _ warnings: inout ReadWarnings
  ) throws(DNGReadError) {
    try self.init(file.main, calibrationCount: calibrationCount, &warnings)
  }

  /// The profile of one directory.
  init(
    _ directory: DNGDirectory,
    calibrationCount: Int,
    _ warnings: inout ReadWarnings
  ) throws(DNGReadError) {
    let baseline = try BaselineTags(directory)
    func text(_ tag: TIFFTag) -> String? {
      directory.informative(&warnings) { (tiff) throws(TIFFReadError) in try tiff.text(tag) }
    }
    self.init(
      name: text(.profileName),
      copyright: text(.profileCopyright),
      groupName: text(.profileGroupName),
      embedPolicy: try directory.integer(.profileEmbedPolicy, in: 0...3)
        .flatMap { EmbedPolicy(rawValue: $0) } ?? .allowCopying,
      calibrationSignature: text(.profileCalibrationSignature) ?? "",
      baselineExposureOffset: baseline.exposureOffset,
      isDefaultBlackNone: baseline.isDefaultBlackNone
    )
    hueSatMaps = try Self.hueSatMaps(directory, count: calibrationCount)
    if let divisions = try HueSatMap.Divisions(directory, .profileLookTableDims) {
      lookTable = try HueSatMap(
        directory,
        .profileLookTableData,
        divisions,
        encoding: .init(directory, .profileLookTableEncoding)
      )
    }
    toneCurve = try ProfileToneCurve(directory)
    gainTableMap = try ProfileGainTableMap(directory, version: 2, &warnings)
    rgbTables = try RGBTables(directory, &warnings)
    dynamicRange = try Self.dynamicRange(directory)
  }

  private static func hueSatMaps(
    _ directory: DNGDirectory,
    count: Int
  ) throws(DNGReadError) -> [HueSatMap] {
    guard let divisions = try HueSatMap.Divisions(directory, .profileHueSatMapDims) else {
      return []
    }
    let encoding = try HueSatMap.Encoding(directory, .profileHueSatMapEncoding)
    var maps: [HueSatMap] = []
    let tags: [TIFFTag] = [
      .profileHueSatMapData1, .profileHueSatMapData2, .profileHueSatMapData3,
    ]
    for tag in tags.prefix(count) {
      guard let map = try HueSatMap(directory, tag, divisions, encoding: encoding) else { break }
      maps.append(map)
    }
    return maps
  }

  /// ProfileDynamicRange (52551): version (1), dynamic range, hint of the largest output.
  private static func dynamicRange(_ directory: DNGDirectory) throws(DNGReadError) -> DynamicRange {
    guard var bytes = try ProfileBytes(directory, .profileDynamicRange, limit: 64) else {
      return .standard
    }
    let version = try bytes.uint16()
    let range = try bytes.uint16()
    guard version == 1, let dynamicRange = DynamicRange(rawValue: range) else {
      throw bytes.damage("has version \(version) and dynamic range \(range)")
    }
    return dynamicRange
  }
}
