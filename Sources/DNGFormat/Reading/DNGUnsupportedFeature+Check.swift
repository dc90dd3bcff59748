internal import RawModel
internal import TIFFContainer

extension DNGUnsupportedFeature {
  /// The first feature of the raw image that is not read yet, or nil.
  ///
  /// - Throws: `container` and `inconsistentTag` for broken tags.
  static func first(in file: DNGFile) throws(DNGReadError) -> DNGUnsupportedFeature? {
    let raw = file.raw
    let image = file.images[file.rawIndex]
    if file.backwardVersion > DNGVersion.newest { return .backwardVersion(file.backwardVersion) }
    let compression = DNGCompression(rawValue: try raw.requiredInteger(.compression))
    guard compression == .uncompressed || compression == .jpeg else {
      return .compression(compression)
    }
    guard image.sampleFormat == 1 else { return .sampleFormat(image.sampleFormat) }
    if let planar = try raw.integer(.planarConfiguration, in: 1...2), planar == 2,
      image.samplesPerPixel > 1
    {
      return .planarSamples
    }
    let bits = image.bitsPerSample.max() ?? 1
    guard (1...16).contains(bits) else { return .bitsPerSample(bits) }
    // FillOrder is about bits within bytes: it says nothing of whole bytes and of JPEG streams.
    if let fillOrder = try raw.integer(.fillOrder), fillOrder != 1, compression == .uncompressed,
      bits != 8, bits != 16
    {
      return .fillOrder(fillOrder)
    }
    if let predictor = image.predictor, predictor != 1 { return .predictor(predictor) }
    if let factor = try raw.integer(.rowInterleaveFactor), factor != 1 {
      return .rowInterleave(factor)
    }
    if let factor = try raw.integer(.columnInterleaveFactor), factor != 1 {
      return .columnInterleave(factor)
    }
    if let block = try raw.integers(.subTileBlockSize, count: 2...2), block != [1, 1] {
      return .subTileBlockSize(rows: block[0], columns: block[1])
    }
    if let scale = try raw.numbers(.defaultScale, count: 2...2), scale[0] != scale[1] {
      return .pixelAspect(horizontal: scale[0], vertical: scale[1])
    }
    if let feature = try sampleLayout(raw, image) { return feature }
    return try opcode(raw)
  }

  /// The first opcode that may not be left out and that is not known (DNG 1.7.1 chapter 7, "Flags").
  private static func opcode(_ raw: DNGDirectory) throws(DNGReadError) -> DNGUnsupportedFeature? {
    for (index, tag) in OpcodeListReader.tags.enumerated() {
      for opcode in try OpcodeListReader.opcodes(raw, tag) where !opcode.isOptional {
        guard case .unknown(let id) = opcode.operation else { continue }
        return .opcode(list: index + 1, id: id, version: DNGVersion(number: opcode.version))
      }
    }
    return nil
  }

  private static func sampleLayout(
    _ raw: DNGDirectory,
    _ image: DNGInspection.Image
  ) throws(DNGReadError) -> DNGUnsupportedFeature? {
    guard image.photometric == .colorFilterArray else {
      return image.samplesPerPixel == 1 || image.samplesPerPixel == 3
        ? nil : .linearRawPlanes(image.samplesPerPixel)
    }
    guard image.samplesPerPixel == 1 else {
      throw raw.inconsistent(.samplesPerPixel, "must be 1 for a colour filter array")
    }
    if let layout = try raw.integer(.cfaLayout), layout != 1 { return .cfaLayout(layout) }
    let array = try ColorFilterArray(raw)
    guard array.pattern == nil else { return nil }
    return .colorFilterArray(array.text)
  }
}
