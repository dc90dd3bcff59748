internal import ColorScience
internal import Raster
internal import RawModel
internal import TIFFContainer

/// The denominator of rational values: six decimal places, more than any of them is known to.
private let denominator: Int32 = 1_000_000

// The entries of the raw image's directory (DNG 1.7.1 chapters 3 and 4).
extension IFDBuilder {
  /// Size, coding and meaning of the samples.
  mutating func setImage(
    _ description: RawDescription,
    encoding: DNGEncoding,
    coded: RawSegments
  ) {
    setCoding(description, encoding: encoding, coded: coded)
    set(.orientation, short: UInt16(description.orientation.rawValue))
    if case .mosaic(let pattern) = description.layout {
      set(.cfaRepeatPatternDim, shorts: [2, 2])
      set(.cfaPattern, bytes: pattern.colors.map { UInt8($0) })
      set(.cfaPlaneColor, bytes: [0, 1, 2])
      set(.cfaLayout, short: 1)
    }
  }

  /// Size and coding of the samples, and the coded samples.
  mutating func setCoding(
    _ description: RawDescription,
    encoding: DNGEncoding,
    coded: RawSegments
  ) {
    let tileSize: PixelSize? =
      if case .tiles(let size) = coded.arrangement { size } else { nil }
    setImage(
      description,
      compression: encoding.compression,
      bitsPerSample: description.bitsPerSample,
      tileSize: tileSize,
      segments: coded.segments
    )
  }

  /// Size and coding of the samples, and the coded samples: tiles, or one strip.
  mutating func setImage(
    _ description: RawDescription,
    compression: DNGCompression,
    bitsPerSample: Int,
    tileSize: PixelSize?,
    segments: [[UInt8]]
  ) {
    let planes = description.layout.samplesPerPixel
    set(.newSubFileType, long: 0)
    set(.imageWidth, long: UInt32(clamping: description.size.width))
    set(.imageLength, long: UInt32(clamping: description.size.height))
    set(
      .bitsPerSample,
      shorts: [UInt16](repeating: UInt16(clamping: bitsPerSample), count: planes)
    )
    set(.compression, short: UInt16(compression.rawValue))
    set(.samplesPerPixel, short: UInt16(clamping: planes))
    set(.planarConfiguration, short: 1)
    let photometric: DNGPhotometric =
      description.layout.isFiltered ? .colorFilterArray : .linearRaw
    set(.photometricInterpretation, short: UInt16(photometric.rawValue))
    if let tileSize {
      set(.tileWidth, long: UInt32(clamping: tileSize.width))
      set(.tileLength, long: UInt32(clamping: tileSize.height))
      setImageData(offsets: .tileOffsets, byteCounts: .tileByteCounts, segments: segments)
    } else {
      set(.rowsPerStrip, long: UInt32(clamping: description.size.height))
      setImageData(offsets: .stripOffsets, byteCounts: .stripByteCounts, segments: segments)
    }
  }

  /// Levels and areas.
  mutating func setLevels(_ description: RawDescription) {
    if let table = description.linearizationTable {
      set(.linearizationTable, shorts: table)
    }
    setBlackLevel(description.blackLevel)
    setWhiteLevel(description.whiteLevel)
    let active = description.activeArea
    set(
      .activeArea,
      longs: [active.top, active.left, active.bottom, active.right].map { UInt32(clamping: $0) }
    )
    set(.defaultScale, rationals: [TIFFRational(1, 1), TIFFRational(1, 1)])
    let crop = description.defaultCrop
    setLevel(.defaultCropOrigin, [crop.originX, crop.originY])
    setLevel(.defaultCropSize, [crop.width, crop.height])
    set(.bestQualityScale, rationals: [TIFFRational(1, 1)])
  }

  /// The zero light level with its pattern and deltas.
  mutating func setBlackLevel(_ black: BlackLevel) {
    set(
      .blackLevelRepeatDim,
      shorts: [UInt16(clamping: black.repeatRows), UInt16(clamping: black.repeatColumns)]
    )
    setLevel(.blackLevel, black.values)
    if !black.deltaH.isEmpty { set(.blackLevelDeltaH, signed: black.deltaH) }
    if !black.deltaV.isEmpty { set(.blackLevelDeltaV, signed: black.deltaV) }
  }

  /// Saturation of each sample of a pixel, in whole linear codes.
  mutating func setWhiteLevel(_ levels: [Double]) {
    set(.whiteLevel, longs: levels.map { TIFFRational(rounding: $0, denominator: 1).numerator })
  }

  /// The camera profile.
  mutating func setProfile(_ description: RawDescription) {
    let calibrationTags: [(TIFFTag, TIFFTag, TIFFTag, TIFFTag)] = [
      (.calibrationIlluminant1, .colorMatrix1, .forwardMatrix1, .cameraCalibration1),
      (.calibrationIlluminant2, .colorMatrix2, .forwardMatrix2, .cameraCalibration2),
    ]
    for (tags, calibration) in zip(calibrationTags, description.color.calibrations) {
      set(tags.0, short: UInt16(clamping: calibration.illuminant))
      set(tags.1, matrix: calibration.colorMatrix)
      if let forward = calibration.forwardMatrix { set(tags.2, matrix: forward) }
      if let individual = calibration.cameraCalibration { set(tags.3, matrix: individual) }
    }
    let balance = description.color.analogBalance
    if balance != Vector3(1, 1, 1) {
      set(.analogBalance, unsigned: [balance.x, balance.y, balance.z])
    }
    switch description.color.asShotWhite {
    case .neutral(let neutral):
      set(.asShotNeutral, unsigned: [neutral.x, neutral.y, neutral.z])
    case .chromaticity(let white):
      set(.asShotWhiteXY, unsigned: [white.x, white.y])
    case .unknown:
      break
    }
    set(.baselineExposure, signed: [description.baselineExposure])
    if description.shadowScale != 1 { set(.shadowScale, unsigned: [description.shadowScale]) }
    let offset = description.profile.baselineExposureOffset
    if offset != 0 { set(.baselineExposureOffset, signed: [offset]) }
    if description.profile.isDefaultBlackNone { set(.defaultBlackRender, long: 1) }
  }

  /// Versions, names, dates, Exif and GPS.
  mutating func setMetadata(_ metadata: DNGMetadata, _ description: RawDescription) {
    let capture = description.capture
    // 1.4 has NewRawImageDigest; readers from 1.1 on know all that is needed to decode: masked
    // pixels and differences of 16 bits without extra bits came with 1.1.
    set(.dngVersion, bytes: [1, 4, 0, 0])
    set(.dngBackwardVersion, bytes: [1, 1, 0, 0])
    set(.uniqueCameraModel, ascii: capture.anyCameraModel)
    if let make = capture.make { set(.make, ascii: make) }
    if let model = capture.model { set(.model, ascii: model) }
    set(.software, ascii: metadata.software)
    if let dateTime = metadata.dateTime { set(.dateTime, ascii: dateTime) }
    if let noise = metadata.noiseProfile {
      set(.noiseProfile, doubles: [noise.scale, noise.offset])
    }
    set(.exifIFD, directories: [metadata.exif])
    set(.gpsIFD, directories: [metadata.gps])
  }

  /// Non-negative values: as LONG if all are whole, else as RATIONAL.
  private mutating func setLevel(_ tag: TIFFTag, _ values: [Double]) {
    let whole = values.compactMap { UInt32(exactly: $0) }
    if whole.count == values.count {
      set(tag, longs: whole)
    } else {
      // Levels go to 65,535, so that a million would overflow.
      set(tag, rationals: values.map { TIFFRational(rounding: $0, denominator: 10_000) })
    }
  }

  private mutating func set(_ tag: TIFFTag, unsigned values: [Double]) {
    set(
      tag,
      rationals: values.map { TIFFRational(rounding: $0, denominator: UInt32(denominator)) }
    )
  }

  private mutating func set(_ tag: TIFFTag, signed values: [Double]) {
    set(
      tag,
      signedRationals: values.map { TIFFSignedRational(rounding: $0, denominator: denominator) }
    )
  }

  private mutating func set(_ tag: TIFFTag, matrix: Matrix3) {
    set(
      tag,
      signed: (0..<3).flatMap { [matrix.rows[$0].x, matrix.rows[$0].y, matrix.rows[$0].z] }
    )
  }
}

extension CaptureMetadata {
  /// UniqueCameraModel, or what stands in for it.
  var anyCameraModel: String {
    let names = [make, model].compactMap(\.self).joined(separator: " ")
    return uniqueCameraModel ?? (names.isEmpty ? "unknown" : names)
  }
}
