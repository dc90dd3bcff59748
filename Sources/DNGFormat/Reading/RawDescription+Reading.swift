internal import Raster
internal import RawModel
internal import TIFFContainer

extension RawDescription {
  /// - Throws: `DNGReadError` for broken tags.
  init(_ file: DNGFile, layout: RawImageLayout) throws(DNGReadError) {
    let raw = file.raw
    let main = file.main
    let image = file.images[file.rawIndex]
    var warnings = ReadWarnings()
    let areas = try RawAreas(raw, size: layout.size, &warnings)
    let levels = try RawLevels(raw, image: image, activeArea: areas.active, &warnings)
    let sampleLayout: SampleLayout
    let planes: Int
    if image.photometric == .colorFilterArray {
      let array = try FilterArray(raw)
      sampleLayout = array.pattern.map { .mosaic($0) } ?? .array(array)
      planes = array.planeColors.count
    } else {
      sampleLayout = .linear(planes: layout.samplesPerPixel)
      planes = layout.samplesPerPixel
    }
    let baseline = try BaselineTags(main)
    let orientation = try Orientation(main, &warnings)
    let color = try CameraColor(main, planes: planes, &warnings)
    let noise = NoiseProfile(file, planes: planes, &warnings)
    let hints = RenderingHints(file, &warnings)
    let capture = try CaptureMetadata(file, &warnings)
    self.init(
      size: layout.size,
      layout: sampleLayout,
      bitsPerSample: layout.bitsPerSample,
      sampleFormat: layout.sampleFormat,
      linearizationTable: levels.linearizationTable,
      blackLevel: levels.black,
      whiteLevel: levels.white,
      activeArea: areas.active,
      maskedAreas: areas.masked,
      defaultCrop: areas.crop,
      defaultScale: areas.scale,
      defaultUserCrop: areas.userCrop,
      orientation: orientation,
      opcodeList1: try OpcodeListReader.opcodes(raw, .opcodeList1),
      opcodeList2: try OpcodeListReader.opcodes(raw, .opcodeList2),
      opcodeList3: try OpcodeListReader.opcodes(raw, .opcodeList3),
      color: color,
      profile: try CameraProfile(file, calibrationCount: color.calibrations.count, &warnings),
      gainTableMap: try ProfileGainTableMap(file, &warnings),
      baselineExposure: baseline.exposure,
      shadowScale: baseline.shadowScale,
      noiseProfile: noise,
      hints: hints,
      capture: capture,
      warnings: warnings.all
    )
  }
}
