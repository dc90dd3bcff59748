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
    cfaPattern = isMosaic ? try ColorFilterArray(raw).text : nil
    linearizationTableCount = levels.linearizationTable?.count
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
    noiseProfile = NoiseProfile(file, planes: planes, &warnings)
    hints = RenderingHints(file, &warnings)
    capture = try CaptureMetadata(file, &warnings)
    profile = try CameraProfile(file, calibrationCount: color.calibrations.count, &warnings)
    gainTableMap = try ProfileGainTableMap(file, &warnings)
    self.warnings = warnings.all
  }
}
