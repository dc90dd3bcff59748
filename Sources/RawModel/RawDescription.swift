package import Raster

/// Everything about a raw but its samples, in the terms of the DNG specification.
package struct RawDescription: Sendable {
  /// The stored frame (ImageWidth, ImageLength).
  package var size: PixelSize
  package var layout: SampleLayout
  /// BitsPerSample of the stored samples.
  package var bitsPerSample: Int
  /// Stored code to linear code (LinearizationTable, 50712); codes past its end take the last entry.
  package var linearizationTable: [UInt16]?
  package var blackLevel: BlackLevel
  /// Fully saturated level in linearised codes (50717), one for each sample of a pixel.
  package var whiteLevel: [Double]
  /// The light-sensitive part of the frame (50829).
  package var activeArea: Region
  package var defaultCrop: DefaultCrop
  package var orientation: Orientation
  package var opcodeList1: [Opcode]
  package var opcodeList2: [Opcode]
  package var opcodeList3: [Opcode]
  package var color: CameraColor
  /// EV by which the default rendering is brighter than the raw (50730), plus the profile's offset
  /// (51109).
  package var baselineExposure: Double
  /// Scales the default black (ShadowScale, 50739).
  package var shadowScale: Double
  /// DefaultBlackRender (51110) 1: the default rendering subtracts no black.
  package var isDefaultBlackNone: Bool
  package var capture: CaptureMetadata

  package init(
    size: PixelSize,
    layout: SampleLayout,
    bitsPerSample: Int,
    linearizationTable: [UInt16]?,
    blackLevel: BlackLevel,
    whiteLevel: [Double],
    activeArea: Region,
    defaultCrop: DefaultCrop,
    orientation: Orientation,
    opcodeList1: [Opcode] = [],
    opcodeList2: [Opcode] = [],
    opcodeList3: [Opcode] = [],
    color: CameraColor,
    baselineExposure: Double = 0,
    shadowScale: Double = 1,
    isDefaultBlackNone: Bool = false,
    capture: CaptureMetadata
  ) {
    self.size = size
    self.layout = layout
    self.bitsPerSample = bitsPerSample
    self.linearizationTable = linearizationTable
    self.blackLevel = blackLevel
    self.whiteLevel = whiteLevel
    self.activeArea = activeArea
    self.defaultCrop = defaultCrop
    self.orientation = orientation
    self.opcodeList1 = opcodeList1
    self.opcodeList2 = opcodeList2
    self.opcodeList3 = opcodeList3
    self.color = color
    self.baselineExposure = baselineExposure
    self.shadowScale = shadowScale
    self.isDefaultBlackNone = isDefaultBlackNone
    self.capture = capture
  }
}
