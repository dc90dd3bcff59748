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
    /// What a semantic mask marks (SemanticName, 52526).
    package var semanticName: String?
    /// Which of several masks of one name it is (SemanticInstanceID, 52528).
    package var semanticInstanceID: String?
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
  /// The largest of them.
  package var linearizationTableEnd: Int?
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
  /// RawImageDigest (50972), the older form.
  package var oldRawImageDigest: String?
  /// RawDataUniqueID (50781).
  package var rawDataUniqueID: String?
  /// OriginalRawFileDigest (50973).
  package var originalRawFileDigest: String?
  /// OriginalRawFileName (50827).
  package var originalRawFileName: String?
  /// The profile that the camera asks for (AsShotProfileName, 50934).
  package var asShotProfileName: String?
  /// Names of the profiles beside the main one (ExtraCameraProfiles, 50933); nil for one without.
  package var extraProfileNames: [String?]
  package var noiseProfile: NoiseProfile?
  package var hints: RenderingHints
  package var capture: CaptureMetadata
  /// What breaks the specification and was read by its defaults, in words.
  package var warnings: [String]

  /// The raw image.
  package var raw: Image { images[rawIndex] }

  /// Whether it is an Apple ProRAW: a LinearRaw of three samples that an Apple device wrote.
  package var isAppleProRAW: Bool {
    capture.make == "Apple" && raw.photometric == .linearRaw && raw.samplesPerPixel == 3
  }

  /// The largest preview of the file.
  package var largestPreview: Image? {
    images.filter { $0.kind == .preview || $0.kind == .alternatePreview }
      .max { ($0.size?.pixelCount ?? 0) < ($1.size?.pixelCount ?? 0) }
  }
}
