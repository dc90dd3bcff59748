internal import ColorScience
internal import Develop
internal import Digest
internal import ImageEncoding
internal import JSON
internal import Raster
internal import RawModel
internal import Recipe

/// One linear output: what is made, and how it is stored.
struct LinearPicture {
  let settings: OutputSpecification.LinearSettings
  let description: RawDescription
  let development: LinearDevelopment
  let sampleFormat: LinearSampleFormat
  /// The luminance of (1, 1, 1) of a scene, where the file says the exposure.
  let whiteLuminance: WhiteLuminance?

  /// What came of it.
  struct Written {
    var byteCount: Int
    /// Of the samples in row order, interleaved, little endian.
    var samplesSHA256: SHA256Digest
    var counts: LinearSampleCounts
    var libraries: [LibraryVersion]
  }

  init(
    _ description: RawDescription,
    _ development: LinearDevelopment,
    _ settings: OutputSpecification.LinearSettings,
    exposureEV: Double
  ) {
    self.description = description
    self.development = development
    self.settings = settings
    switch settings.sampleFormat {
    case .float32: sampleFormat = .float32
    case .float16: sampleFormat = .float16
    case .uint16:
      sampleFormat = .uint16(
        step: settings.isCodes
          ? 1 : Self.maximum(settings, development, exposureEV: exposureEV) / 65_535
      )
    }
    whiteLuminance =
      settings.level == .scene
      ? WhiteLuminance(description.capture, exposureEV: exposureEV) : nil
  }

  /// The value of the code 65,535: what a saturated channel has, which is 1 of normalised samples and one
  /// over the smallest value of the neutral of balanced ones, times the exposure of a scene.
  private static func maximum(
    _ settings: OutputSpecification.LinearSettings,
    _ development: LinearDevelopment,
    exposureEV: Double
  ) -> Double {
    if let maximum = settings.maximum { return maximum }
    let balanced = 1 / (development.neutral?.min() ?? 1)
    return switch settings.level {
    case .stored, .linearized: 65_535
    case .normalized: 1
    case .whiteBalanced: balanced
    case .scene: balanced * PortableMath.exp2(exposureEV)
    }
  }

  var fileDescription: LinearImageDescription {
    LinearImageDescription(
      size: development.size,
      channels: development.channels.map(\.name),
      sampleFormat: sampleFormat,
      colorimetry: settings.colorSpace.colorimetry,
      whiteLuminance: whiteLuminance?.value,
      caption: caption
    )
  }

  /// What a sample means, in one line.
  private var caption: String {
    var text = "rawmill linear: level \(settings.level.rawValue)"
    if settings.level == .scene { text += ", colorSpace \(settings.colorSpace.rawValue)" }
    if case .uint16(let step) = sampleFormat {
      text += ", value = code * \(JSONValue(step).text())"
    }
    return text
  }

  /// Of the samples as a DNG stores them: 0 is black, 1 is white.
  func dngDescription(_ source: RawDescription) -> RawDescription {
    var description = source
    description.size = development.size
    description.layout = .linear(planes: development.channels.count)
    description.setNormalized(bitsPerSample: 8 * sampleFormat.byteCount)
    description.activeArea = Region(size: development.size)
    description.opcodeList1 = []
    description.opcodeList2 = []
    return description
  }
}

extension OutputSpecification.LinearSettings {
  /// The level by the engine's name.
  var linearLevel: LinearLevel {
    let layout: LinearLayout =
      switch mosaic {
      case .demosaiced: .demosaiced
      case .cfa: .cfa
      case .planes: .planes
      }
    return switch level {
    case .stored: .codes(isLinearized: false, layout)
    case .linearized: .codes(isLinearized: true, layout)
    case .normalized: .samples(isBalanced: false, layout)
    case .whiteBalanced: .samples(isBalanced: true, layout)
    case .scene: .scene(colorSpace.space ?? .rgb(.rec2020))
    }
  }

  var imageFormat: ImageFormat {
    switch format {
    case .tiff: .tiff
    case .exr: .exr
    case .npy: .npy
    case .dng: .dng
    }
  }
}

extension OutputSpecification.LinearSettings.Space {
  /// Nil for the camera's own.
  var space: LinearSpace? {
    switch self {
    case .camera: nil
    case .rec2020: .rgb(.rec2020)
    case .displayP3: .rgb(.displayP3)
    case .prophoto: .rgb(.romm)
    case .acesAP0: .rgb(.acesAP0)
    case .xyzD50: .xyzD50
    }
  }

  /// As files state it; nil for the camera's own.
  fileprivate var colorimetry: LinearColorimetry? {
    let name =
      switch self {
      case .camera: "camera"
      case .rec2020: "Rec. 2020"
      case .displayP3: "Display P3"
      case .prophoto: "ProPhoto"
      case .acesAP0: "ACES AP0"
      case .xyzD50: "XYZ D50"
      }
    return switch space {
    case .rgb(let space): LinearColorimetry(space, name: name)
    case .xyzD50: LinearColorimetry(xyzUnder: .d50, name: name)
    case nil: nil
    }
  }
}

extension LinearOutputReport {
  init(_ picture: LinearPicture, _ written: LinearPicture.Written) {
    self.init(
      level: picture.settings.level.rawValue,
      colorSpace: picture.settings.colorSpace.rawValue,
      sampleFormat: picture.settings.sampleFormat.rawValue,
      samplesSHA256: written.samplesSHA256.hex,
      negativeCount: written.counts.negative,
      clippedCount: written.counts.belowRange + written.counts.aboveRange
    )
  }
}
