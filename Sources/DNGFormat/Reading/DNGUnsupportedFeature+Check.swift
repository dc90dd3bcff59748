internal import RawModel
internal import TIFFContainer

extension DNGUnsupportedFeature {
  /// The first feature of the raw image that is not read yet for such a use, or nil.
  ///
  /// - Throws: `container` and `inconsistentTag` for broken tags.
  static func first(
    in file: DNGFile,
    for use: RawUse = .development
  ) throws(DNGReadError) -> DNGUnsupportedFeature? {
    let raw = file.raw
    let image = file.images[file.rawIndex]
    if file.backwardVersion > DNGVersion.newest { return .backwardVersion(file.backwardVersion) }
    let compression = DNGCompression(rawValue: try raw.requiredInteger(.compression))
    guard Self.readable.contains(compression) else { return .compression(compression) }
    guard let format = SampleFormat(rawValue: image.sampleFormat) else {
      return .sampleFormat(image.sampleFormat)
    }
    let bits = image.bitsPerSample.max() ?? 1
    let isFloat = format == .floatingPoint
    guard isFloat ? [16, 24, 32].contains(bits) : (1...32).contains(bits) else {
      return .bitsPerSample(bits)
    }
    guard compression.holds(bits: bits, isFloat: isFloat) else {
      return .samples(bits: bits, isFloat: isFloat, compression)
    }
    // FillOrder is about bits within bytes: it says nothing of whole bytes and of JPEG streams.
    if let fillOrder = try raw.integer(.fillOrder), fillOrder != 1, compression.isInBytes,
      ![8, 16, 24, 32].contains(bits)
    {
      return .fillOrder(fillOrder)
    }
    let predictor = image.predictor ?? 1
    guard isReadable(predictor: predictor, compression, bits: bits, isFloat: isFloat) else {
      return .predictor(predictor)
    }
    if use == .development, let scale = try raw.numbers(.defaultScale, count: 2...2),
      scale[0] != scale[1]
    {
      return .pixelAspect(horizontal: scale[0], vertical: scale[1])
    }
    if let feature = try sampleLayout(raw, image, use) { return feature }
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

  private static let readable: Set<DNGCompression> = [
    .uncompressed, .jpeg, .deflate, .deflateLegacy, .lossyJPEG, .jpegXL,
  ]

  /// Whether a predictor goes with the samples (DNG 1.7.1, "Predictor"); the JPEGs have their own.
  private static func isReadable(
    predictor: Int,
    _ compression: DNGCompression,
    bits: Int,
    isFloat: Bool
  ) -> Bool {
    guard compression.isInBytes else { return true }
    switch DNGPredictor(tag: predictor) {
    case nil: return false
    case .none?: return true
    case .horizontal?: return compression != .uncompressed && [8, 16, 32].contains(bits)
    case .floatingPoint?: return compression != .uncompressed && isFloat
    }
  }

  private static func sampleLayout(
    _ raw: DNGDirectory,
    _ image: DNGInspection.Image,
    _ use: RawUse
  ) throws(DNGReadError) -> DNGUnsupportedFeature? {
    guard image.photometric == .colorFilterArray else {
      return image.samplesPerPixel <= 4 ? nil : .linearRawPlanes(image.samplesPerPixel)
    }
    guard image.samplesPerPixel == 1 else {
      throw raw.inconsistent(.samplesPerPixel, "must be 1 for a colour filter array")
    }
    let array = try FilterArray(raw)
    guard use == .development, array.pattern == nil else { return nil }
    if array.arrangement != 1 { return .cfaLayout(array.arrangement) }
    return .colorFilterArray(array.text)
  }
}

extension DNGCompression {
  /// Whether samples stand in bytes, compressed or not, rather than in a codec's own form.
  fileprivate var isInBytes: Bool {
    self == .uncompressed || self == .deflate || self == .deflateLegacy
  }

  /// Whether such samples can be coded so (DNG 1.7.1, "Compression").
  fileprivate func holds(bits: Int, isFloat: Bool) -> Bool {
    switch self {
    case .jpeg: !isFloat && bits <= 16
    case .lossyJPEG: !isFloat && bits == 8
    case .jpegXL: isFloat ? bits == 16 : bits <= 16
    default: true
    }
  }
}
