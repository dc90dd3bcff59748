internal import Digest
internal import Raster
internal import RawModel
internal import TIFFContainer

extension DNGInspection {
  /// - Throws: `DNGReadError` for broken tags.
  init(_ file: DNGFile) throws(DNGReadError) {
    let raw = file.raw
    let main = file.main
    let image = file.images[file.rawIndex]
    guard let size = image.size else {
      let tag: TIFFTag = raw.has(.imageWidth) ? .imageLength : .imageWidth
      throw .container(.missingTag(raw.site(tag)))
    }
    var warnings = ReadWarnings()
    let areas = try RawAreas(raw, size: size, &warnings)
    let levels = try RawLevels(raw, image: image, activeArea: areas.active, &warnings)
    let isMosaic = image.photometric == .colorFilterArray
    byteOrder = file.tiff.byteOrder
    isBigTIFF = file.tiff.isBigTIFF
    version = file.version
    backwardVersion = file.backwardVersion
    images = file.images
    rawIndex = file.rawIndex
    unsupported = try DNGUnsupportedFeature.first(in: file)
    cfaPattern = isMosaic ? try FilterArray(raw).text : nil
    linearizationTableCount = levels.linearizationTable?.count
    linearizationTableEnd = levels.linearizationTable?.max().map { Int($0) }
    blackLevel = levels.black
    whiteLevel = levels.white
    activeArea = areas.active
    maskedAreas = areas.masked
    defaultCrop = areas.crop
    defaultScale = areas.scale
    defaultUserCrop = areas.userCrop
    orientation = try Orientation(main, &warnings)
    let planes = isMosaic ? 3 : image.samplesPerPixel
    color = try CameraColor(main, planes: planes, &warnings)
    opcodeList1 = try OpcodeListReader.opcodes(raw, .opcodeList1)
    opcodeList2 = try OpcodeListReader.opcodes(raw, .opcodeList2)
    opcodeList3 = try OpcodeListReader.opcodes(raw, .opcodeList3)
    let exposure = try BaselineTags(main)
    baselineExposure = exposure.exposure
    baselineExposureOffset = exposure.exposureOffset
    shadowScale = exposure.shadowScale
    isDefaultBlackNone = exposure.isDefaultBlackNone
    rawImageDigest = try StatedDigest(file)?.value.hex
    oldRawImageDigest = main.hexadecimal(.rawImageDigest, &warnings)
    rawDataUniqueID = main.hexadecimal(.rawDataUniqueID, &warnings)
    originalRawFileDigest = main.hexadecimal(.originalRawFileDigest, &warnings)
    originalRawFileName = main.informative(&warnings) { (tiff) throws(TIFFReadError) in
      try tiff.text(.originalRawFileName)
    }
    asShotProfileName = main.informative(&warnings) { (tiff) throws(TIFFReadError) in
      try tiff.text(.asShotProfileName)
    }
    extraProfileNames = ExtraCameraProfiles.names(of: file, &warnings)
    noiseProfile = NoiseProfile(file, planes: planes, &warnings)
    hints = RenderingHints(file, &warnings)
    capture = try CaptureMetadata(file, &warnings)
    profile = try CameraProfile(file, calibrationCount: color.calibrations.count, &warnings)
    gainTableMap = try ProfileGainTableMap(file, &warnings)
    self.warnings = warnings.all
  }
}

extension DNGDirectory {
  /// The bytes of an informative tag in hexadecimal digits; nil for none, and for zeros alone.
  fileprivate func hexadecimal(_ tag: TIFFTag, _ warnings: inout ReadWarnings) -> String? {
    let stored = informative(&warnings) { (tiff) throws(TIFFReadError) in
      try tiff.integers(tag, count: 16...16)
    }
    guard let bytes = stored, bytes.contains(where: { $0 != 0 }) else { return nil }
    return MD5Digest(bytes: bytes.map(UInt8.init(truncatingIfNeeded:)))?.hex
  }
}
