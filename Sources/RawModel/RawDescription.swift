package import Raster

/// Everything about a raw but its samples, in the terms of the DNG specification.
package struct RawDescription: Sendable {
  /// The stored frame (ImageWidth, ImageLength).
  package var size: PixelSize
  package var layout: SampleLayout
  /// BitsPerSample of the stored samples.
  package var bitsPerSample: Int
  package var sampleFormat: SampleFormat
  /// Stored code to linear code (LinearizationTable, 50712); codes past its end take the last entry.
  package var linearizationTable: [UInt16]?
  package var blackLevel: BlackLevel
  /// Fully saturated level in linearised codes (50717), one for each sample of a pixel.
  package var whiteLevel: [Double]
  /// The light-sensitive part of the frame (50829).
  package var activeArea: Region
  /// Light-proof parts of the frame (50830).
  package var maskedAreas: [Region]
  package var defaultCrop: DefaultCrop
  package var defaultScale: DefaultScale
  package var defaultUserCrop: DefaultUserCrop
  package var orientation: Orientation
  package var opcodeList1: [Opcode]
  package var opcodeList2: [Opcode]
  package var opcodeList3: [Opcode]
  package var color: CameraColor
  /// What the camera profile says beyond `color`'s matrices; the profile of IFD 0.
  package var profile: CameraProfile
  /// The file's gain table map where the profile has none of its own: ProfileGainTableMap2 (52544), or
  /// else ProfileGainTableMap (52525) of IFD 0 or of the raw's directory.
  package var gainTableMap: ProfileGainTableMap?
  /// EV by which the default rendering is brighter than the raw (50730); the profile adds its offset.
  package var baselineExposure: Double
  /// Scales the default black (ShadowScale, 50739).
  package var shadowScale: Double
  /// Noise of the linear samples (51041), where the file states it.
  package var noiseProfile: NoiseProfile?
  package var hints: RenderingHints
  package var capture: CaptureMetadata
  /// What of the file breaks the specification and was read by its defaults, in words.
  package var warnings: [String]

  package init(
    size: PixelSize,
    layout: SampleLayout,
    bitsPerSample: Int,
    sampleFormat: SampleFormat = .unsignedInteger,
    linearizationTable: [UInt16]?,
    blackLevel: BlackLevel,
    whiteLevel: [Double],
    activeArea: Region,
    maskedAreas: [Region] = [],
    defaultCrop: DefaultCrop,
    defaultScale: DefaultScale = DefaultScale(),
    defaultUserCrop: DefaultUserCrop = .whole,
    orientation: Orientation,
    opcodeList1: [Opcode] = [],
    opcodeList2: [Opcode] = [],
    opcodeList3: [Opcode] = [],
    color: CameraColor,
    profile: CameraProfile = CameraProfile(),
    gainTableMap: ProfileGainTableMap? = nil,
    baselineExposure: Double = 0,
    shadowScale: Double = 1,
    noiseProfile: NoiseProfile? = nil,
    hints: RenderingHints = RenderingHints(),
    capture: CaptureMetadata,
    warnings: [String] = []
  ) {
    self.size = size
    self.layout = layout
    self.bitsPerSample = bitsPerSample
    self.sampleFormat = sampleFormat
    self.linearizationTable = linearizationTable
    self.blackLevel = blackLevel
    self.whiteLevel = whiteLevel
    self.activeArea = activeArea
    self.maskedAreas = maskedAreas
    self.defaultCrop = defaultCrop
    self.defaultScale = defaultScale
    self.defaultUserCrop = defaultUserCrop
    self.orientation = orientation
    self.opcodeList1 = opcodeList1
    self.opcodeList2 = opcodeList2
    self.opcodeList3 = opcodeList3
    self.color = color
    self.profile = profile
    self.gainTableMap = gainTableMap
    self.baselineExposure = baselineExposure
    self.shadowScale = shadowScale
    self.noiseProfile = noiseProfile
    self.hints = hints
    self.capture = capture
    self.warnings = warnings
  }
}

extension RawDescription {
  /// Says that the samples are floating point of so many bits, 0 at black and 1 at white.
  package mutating func setNormalized(bitsPerSample bits: Int) {
    let planes = layout.samplesPerPixel
    bitsPerSample = bits
    sampleFormat = .floatingPoint
    linearizationTable = nil
    blackLevel = BlackLevel(0, samplesPerPixel: planes)
    whiteLevel = [Double](repeating: 1, count: planes)
  }
}
