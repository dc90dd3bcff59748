package import Raster
package import RawModel
package import TIFFContainer

/// What a DNG is, without its samples, as a plain value.
package struct DNGInspection: Equatable, Sendable {
  /// One image of the file.
  package struct Image: Equatable, Sendable {
    /// Which IFD, in words (`IFD 0`, `SubIFD 1 of IFD 0`).
    package var directory: String
    package var kind: DNGImageKind
    package var size: PixelSize?
    package var compression: DNGCompression?
    package var photometric: DNGPhotometric?
    /// One value for each sample of a pixel.
    package var bitsPerSample: [Int]
    /// 1 unsigned, 2 signed, 3 floating point (SampleFormat, 339).
    package var sampleFormat: Int
    package var samplesPerPixel: Int
    package var predictor: Int?
    package var isTiled: Bool
    /// The size of a tile, or of a strip.
    package var tileSize: PixelSize?
    /// Number of strips or tiles.
    package var tileCount: Int
  }

  package var byteOrder: TIFFByteOrder
  package var isBigTIFF: Bool
  package var version: DNGVersion
  package var backwardVersion: DNGVersion
  /// All images in the file's order.
  package var images: [Image]
  /// The raw image's index in `images`.
  package var rawIndex: Int
  /// What makes the raw unreadable for now; nil where `DNGReader.read` takes it, if it is sound.
  package var unsupported: DNGUnsupportedFeature?
  /// The filter colours in row order (`rggb`), for a colour filter array.
  package var cfaPattern: String?
  /// Entries of the LinearizationTable.
  package var linearizationTableCount: Int?
  package var blackLevel: BlackLevel
  package var whiteLevel: [Double]
  package var activeArea: Region
  package var maskedAreas: [Region]
  package var defaultCrop: DefaultCrop
  package var defaultScale: DefaultScale
  package var defaultUserCrop: DefaultUserCrop
  package var orientation: Orientation
  package var color: CameraColor
  /// The profile of IFD 0 but for its matrices.
  package var profile: CameraProfile
  /// The file's gain table map, without the profile's own.
  package var gainTableMap: ProfileGainTableMap?
  package var opcodeList1: [Opcode]
  package var opcodeList2: [Opcode]
  package var opcodeList3: [Opcode]
  /// BaselineExposure (50730) in EV, without the profile's offset.
  package var baselineExposure: Double
  /// BaselineExposureOffset (51109) in EV.
  package var baselineExposureOffset: Double
  package var shadowScale: Double
  package var isDefaultBlackNone: Bool
  /// NewRawImageDigest (51111) in hexadecimal digits.
  package var rawImageDigest: String?
  package var noiseProfile: NoiseProfile?
  package var hints: RenderingHints
  package var capture: CaptureMetadata
  /// What breaks the specification and was read by its defaults, in words.
  package var warnings: [String]

  /// The raw image.
  package var raw: Image { images[rawIndex] }
}
