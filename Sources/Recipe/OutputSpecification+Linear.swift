extension OutputSpecification {
  /// Linear pixels: the raw's samples or the scene's colours, with a record beside them that says what
  /// every number means.
  package struct LinearSettings: Equatable, Sendable {
    /// How far the numbers are from the sensor's.
    package enum Level: String, CaseIterable, Sendable {
      /// Colours of the scene in a colour space.
      case scene
      /// Normalised samples over the camera's neutral.
      case whiteBalanced
      /// Linear reference values: 0 is black, 1 is white.
      case normalized
      /// Codes after the LinearizationTable, black included.
      case linearized
      /// Codes as the file has them.
      case stored
    }

    package enum Space: String, CaseIterable, Sendable {
      /// The camera's own colours.
      case camera
      case rec2020
      case displayP3
      case prophoto
      case acesAP0
      case xyzD50
    }

    package enum Format: String, CaseIterable, Sendable {
      case tiff
      case exr
      case npy
      case dng
    }

    package enum SampleFormat: String, CaseIterable, Sendable {
      case float32
      case float16
      case uint16
    }

    /// What becomes of a mosaic.
    package enum Mosaic: String, CaseIterable, Sendable {
      case demosaiced
      /// One sample a pixel, as the filters lie.
      case cfa
      /// A plane for each photosite of the 2x2 cell.
      case planes
    }

    package var level: Level
    /// Nil is what the level has: `rec2020` of a scene, else the camera's.
    package var askedSpace: Space?
    package var format: Format
    package var sampleFormat: SampleFormat
    /// Nil is what the level has: `cfa` of codes, else `demosaiced`.
    package var askedMosaic: Mosaic?
    /// The value of the code 65,535 of `uint16`; nil is what the level has.
    package var maximum: Double?

    package init(
      level: Level = .scene,
      colorSpace: Space? = nil,
      format: Format = .tiff,
      sampleFormat: SampleFormat = .float32,
      mosaic: Mosaic? = nil,
      maximum: Double? = nil
    ) {
      self.level = level
      askedSpace = colorSpace
      self.format = format
      self.sampleFormat = sampleFormat
      askedMosaic = mosaic
      self.maximum = maximum
    }

    package var colorSpace: Space { askedSpace ?? (level == .scene ? .rec2020 : .camera) }

    package var mosaic: Mosaic { askedMosaic ?? (isCodes ? .cfa : .demosaiced) }

    /// Whether the numbers are codes, not light.
    package var isCodes: Bool { level == .stored || level == .linearized }
  }
}
