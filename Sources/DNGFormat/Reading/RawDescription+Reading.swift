internal import Raster
internal import RawModel
internal import TIFFContainer

extension RawDescription {
  /// - Throws: `DNGReadError` for broken tags.
  init(_ file: DNGFile, layout: RawImageLayout) throws(DNGReadError) {
    let raw = file.raw
    let main = file.main
    let image = file.images[file.rawIndex]
    let areas = try RawAreas(raw, size: layout.size)
    let levels = try RawLevels(raw, image: image, activeArea: areas.active)
    let sampleLayout: SampleLayout
    if image.photometric == .colorFilterArray {
      let array = try ColorFilterArray(raw)
      guard let pattern = array.pattern else {
        throw .unsupported(.colorFilterArray(array.text))
      }
      sampleLayout = .mosaic(pattern)
    } else {
      sampleLayout = .linear(planes: layout.samplesPerPixel)
    }
    let baseline = try BaselineTags(main)
    self.init(
      size: layout.size,
      layout: sampleLayout,
      bitsPerSample: layout.bitsPerSample,
      linearizationTable: levels.linearizationTable,
      blackLevel: levels.black,
      whiteLevel: levels.white,
      activeArea: areas.active,
      defaultCrop: areas.crop,
      orientation: try Orientation(main),
      opcodeList1: try OpcodeListReader.opcodes(raw, .opcodeList1),
      opcodeList2: try OpcodeListReader.opcodes(raw, .opcodeList2),
      opcodeList3: try OpcodeListReader.opcodes(raw, .opcodeList3),
      color: try CameraColor(
        main,
        planes: image.photometric == .colorFilterArray ? 3 : layout.samplesPerPixel
      ),
      profile: CameraProfile(
        baselineExposureOffset: baseline.exposureOffset,
        isDefaultBlackNone: baseline.isDefaultBlackNone
      ),
      baselineExposure: baseline.exposure,
      shadowScale: baseline.shadowScale,
      capture: try CaptureMetadata(file)
    )
  }
}
