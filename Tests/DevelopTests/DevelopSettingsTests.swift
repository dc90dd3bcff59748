import ColorScience
import Develop
import JSON
import Raster
import RawModel
import Recipe
import Testing

@Suite struct DevelopSettingsTests {
  private func settings(
    _ color: CameraColor,
    _ change: (inout DevelopAdjustments) -> Void = { _ in }
  ) throws -> DevelopSettings {
    var adjustments = DevelopAdjustments()
    change(&adjustments)
    return try DevelopSettings(
      resolving: adjustments,
      for: TestFrame.description(8, 8, layout: .mosaic(.rggb), color: color)
    )
  }

  @Test func defaultsAndOrigins() throws {
    var description = TestFrame.description(
      8,
      8,
      layout: .mosaic(.rggb),
      color: TestFrame.nikon
    )
    description.baselineExposure = 0.25
    var adjustments = DevelopAdjustments()
    adjustments.exposure = -0.5
    let settings = try DevelopSettings(resolving: adjustments, for: description)
    #expect(settings.exposureEV == -0.5 && settings.baselineExposureEV == 0.25)
    #expect(settings.shadowBias == 5 && settings.boostAmount == 1)
    #expect(settings.boostShadowAmount == 1 && settings.isGamutMappingEnabled)
    let origins = settings.resolved.map { "\($0.name) \($0.origin.text)" }
    #expect(
      origins == [
        "exposure recipe", "baselineExposure file", "shadowBias default", "boostAmount default",
        "boostShadowAmount default", "isGamutMappingEnabled default",
        "isHighlightRecoveryEnabled default", "isLensCorrectionEnabled default",
        "luminanceNoiseReductionAmount default",
        "colorNoiseReductionAmount default", "sharpnessAmount default", "contrastAmount default",
        "detailAmount default", "moireReductionAmount default", "despeckleAmount file",
        "localToneMapAmount file", "extendedDynamicRangeAmount default",
        "neutralChromaticity file", "neutralTemperature file", "neutralTint file",
        "scaleFactor default", "isDraftModeEnabled default", "orientation file",
        "decoderVersion default", "extra.demosaic default", "extra.localContrastCompress default",
      ]
    )
    description.profile.isDefaultBlackNone = true
    #expect(try DevelopSettings(resolving: .init(), for: description).shadowBias == 0)
  }

  /// The first look corrected no lens, unless it is told to.
  @Test func theFirstLookLeavesTheLens() throws {
    let description = TestFrame.description(8, 8, layout: .mosaic(.rggb))
    var adjustments = DevelopAdjustments()
    func isOn() throws -> Bool {
      try DevelopSettings(resolving: adjustments, for: description).isLensCorrectionEnabled
    }
    #expect(try isOn())
    adjustments.decoderVersion = .one
    #expect(try !isOn())
    adjustments.isLensCorrectionEnabled = true
    #expect(try isOn())
  }

  /// A recipe that bends no value is demosaiced linearly, too, unless it says otherwise.
  @Test func linearRecipesMeasure() throws {
    func demosaic(_ change: (inout DevelopAdjustments) -> Void) throws -> DemosaicMethod {
      var adjustments = DevelopAdjustments.measuring
      change(&adjustments)
      let description = TestFrame.description(
        8,
        8,
        layout: .mosaic(.rggb),
        color: TestFrame.nikon
      )
      return try DevelopSettings(resolving: adjustments, for: description).demosaic
    }
    #expect(try demosaic { _ in } == .bilinear)
    #expect(try demosaic { $0.exposure = 1 } == .bilinear)
    #expect(try demosaic { $0.demosaic = .menon } == .menon)
    #expect(try demosaic { $0.boostAmount = 0.5 } == .menon)
    #expect(try demosaic { $0.shadowBias = nil } == .menon)
    #expect(try demosaic { $0.isGamutMappingEnabled = nil } == .menon)
    #expect(try demosaic { $0.isHighlightRecoveryEnabled = nil } == .menon)
    #expect(try settings(TestFrame.nikon).demosaic == .menon)
  }

  @Test func whiteOfTheFile() throws {
    // XYZ of the neutral through the inverse matrix, by hand.
    let camera = TestFrame.nikon.calibrations[0].colorMatrix
    let xyz = camera.inverse! * Vector3(0.51303, 1, 0.74419)
    let asShot = try settings(TestFrame.nikon)
    #expect(abs(asShot.white.x - xyz.x / xyz.sum()) < 1e-9)
    #expect(abs(asShot.white.y - xyz.y / xyz.sum()) < 1e-9)

    var color = TestFrame.nikon
    color.asShotWhite = .chromaticity(.d65)
    #expect(try settings(color).white == .d65)
    #expect(abs(try settings(color).neutralTemperature - 6503.7) < 0.1)
    color.asShotWhite = .unknown
    #expect(try settings(color).white == .d55)
  }

  @Test func askedTemperatureKeepsTheTintAsShot() throws {
    let asShot = try settings(TestFrame.nikon)
    let warmer = try settings(TestFrame.nikon) { $0.neutralTemperature = 8000 }
    #expect(warmer.neutralTemperature == 8000 && warmer.neutralTint == asShot.neutralTint)
    let expected = ColorTemperature(kelvin: 8000, tint: asShot.neutralTint).chromaticity
    #expect(warmer.white == expected)
    let greener = try settings(TestFrame.nikon) { $0.neutralTint = -20 }
    #expect(greener.neutralTemperature == asShot.neutralTemperature)
    #expect(greener.white != asShot.white)
  }

  /// A higher temperature says that the light was bluer, so the picture gets warmer.
  @Test func higherTemperatureRendersWarmer() throws {
    let description = TestFrame.description(
      4,
      4,
      layout: .linear(planes: 3),
      color: TestFrame.nikon
    )
    let frame = try TestFrame.frame(description) { x, _ in [15000, 29000, 21000][x % 3] }
    func pixel(_ kelvin: Double) throws -> [Int] {
      var adjustments = DevelopAdjustments.linear
      adjustments.neutralTemperature = kelvin
      return try Development(frame, adjustments).pixel(1, 1)
    }
    let cool = try pixel(4000)
    let warm = try pixel(9000)
    #expect(warm[0] - warm[2] > cool[0] - cool[2])
  }

  /// The neutral of any white is rendered grey, for matrices of either kind and between illuminants.
  @Test(arguments: [2500.0, 3500, 5200, 6500, 12000])
  func theNeutralOfAWhiteIsRenderedGrey(kelvin: Double) throws {
    let cold = Matrix3(
      Vector3(1.0344, -0.4210, -0.0620),
      Vector3(-0.2315, 1.0625, 0.1948),
      Vector3(0.0093, 0.1058, 0.5541)
    )
    let warm = Matrix3(
      Vector3(1.8331, -0.8166, -0.2478),
      Vector3(0.1391, 0.8961, -0.0367),
      Vector3(0.0822, 0.0662, 0.2597)
    )
    let forward = Matrix3(
      Vector3(0.7, 0.15, 0.11),
      Vector3(0.25, 0.9, -0.15),
      Vector3(0.02, -0.1, 0.9)
    )
    for hasForward in [false, true] {
      let color = CameraColor(
        calibrations: [
          .init(
            illuminant: 21,
            colorMatrix: cold,
            forwardMatrix: hasForward ? forward : nil,
            cameraCalibration: Matrix3(diagonal: Vector3(1.02, 1, 0.97))
          ),
          .init(illuminant: 17, colorMatrix: warm, forwardMatrix: hasForward ? forward : nil),
        ],
        analogBalance: Vector3(1.1, 1, 0.9),
        asShotWhite: .unknown
      )
      // What this camera records of the white: interpolated in reciprocal temperature.
      let white = ColorTemperature(kelvin: kelvin, tint: 5).chromaticity
      let clamped = min(max(ColorTemperature(white).kelvin, 2856), 6500)
      let share = (1 / clamped - 1 / 6500) / (1 / 2856.0 - 1 / 6500)
      let calibration =
        share * Matrix3.identity + (1 - share) * Matrix3(diagonal: Vector3(1.02, 1, 0.97))
      let toCamera =
        Matrix3(diagonal: Vector3(1.1, 1, 0.9)) * calibration
        * (share * warm + (1 - share) * cold)
      let neutral = toCamera * white.xyz
      let codes = neutral / neutral.max() * 30000
      let description = TestFrame.description(2, 2, layout: .linear(planes: 3), color: color)
      let frame = try TestFrame.frame(description) { x, _ in UInt16(codes[x % 3].rounded()) }
      var adjustments = DevelopAdjustments.linear
      adjustments.neutralTemperature = kelvin
      adjustments.neutralTint = 5
      let pixel = try Development(frame, adjustments).pixel(0, 0)
      let expected = TransferFunction.sRGB.encode(30000.0 / 65535) * 65535
      for channel in pixel { #expect(abs(Double(channel) - expected) < 12) }
    }
  }

  @Test func clippedHighlightsAreNeutral() throws {
    let description = TestFrame.description(24, 24, layout: .mosaic(.rggb), color: TestFrame.nikon)
    let frame = try TestFrame.frame(description) { _, _ in 65535 }
    let result = try Development(frame, DevelopAdjustments())
    for value in result.sixteen { #expect(value >= 65530) }
  }

  @Test func monochromeHasNoColour() throws {
    let description = TestFrame.description(
      8,
      8,
      layout: .linear(planes: 1),
      color: CameraColor(calibrations: [], asShotWhite: .unknown)
    )
    var adjustments = DevelopAdjustments()
    adjustments.neutralTemperature = 3000
    let result = try Development(try TestFrame.noise(description, seed: 1), adjustments)
    for pixel in 0..<64 {
      #expect(abs(Int(result.sixteen[3 * pixel]) - Int(result.sixteen[3 * pixel + 2])) <= 1)
    }
  }

  @Test func skippedOpcodesAreReported() throws {
    var description = TestFrame.description(8, 8, layout: .mosaic(.rggb))
    let unknown = Opcode.Operation.unknown(id: 99)
    description.opcodeList3 = [
      Opcode(operation: unknown, isOptional: true, isSkippedForPreview: true)
    ]
    let settings = try DevelopSettings(resolving: .init(), for: description)
    #expect(settings.skippedOpcodes == ["OpcodeList3 opcode 99"])
    let last = settings.resolved.last
    #expect(last?.name == "skippedOpcodes" && last?.origin == .file)
    _ = try Development(try TestFrame.noise(description, seed: 1), .linear)

    description.opcodeList3 = [
      Opcode(operation: unknown, isOptional: false, isSkippedForPreview: true)
    ]
    let frame = try TestFrame.noise(description, seed: 1)
    #expect(throws: DevelopError.opcodeUnsupported(list: 3, id: 99, name: "opcode 99")) {
      _ = try Development(frame, .linear)
    }
  }

  @Test(arguments: [
    (Vector3(0, 1, 1), DevelopError.neutralUnusable(tag: "AsShotNeutral")),
    (Vector3(.nan, 1, 1), .neutralUnusable(tag: "AsShotNeutral")),
    (Vector3(-1, 1, 1), .neutralUnusable(tag: "AsShotNeutral")),
    (Vector3(1, .infinity, 1), .neutralUnusable(tag: "AsShotNeutral")),
  ])
  func unusableNeutrals(neutral: Vector3, error: DevelopError) {
    var color = TestFrame.nikon
    color.asShotWhite = .neutral(neutral)
    #expect(throws: error) { _ = try settings(color) }
  }

  @Test func unusableMatrices() {
    let singular = Matrix3(Vector3(1, 2, 3), Vector3(2, 4, 6), Vector3(0, 0, 1))
    let nan = Matrix3(Vector3(.nan, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))
    for matrix in [singular, nan] {
      var color = TestFrame.nikon
      color.calibrations[0].colorMatrix = matrix
      #expect(throws: DevelopError.colorMatrixUnusable(tag: "ColorMatrix1")) {
        _ = try settings(color)
      }
      color = TestFrame.nikon
      color.calibrations[0].forwardMatrix = matrix
      #expect(throws: DevelopError.colorMatrixUnusable(tag: "ForwardMatrix1")) {
        _ = try settings(color)
      }
      color = TestFrame.nikon
      color.calibrations[0].cameraCalibration = matrix
      #expect(throws: DevelopError.colorMatrixUnusable(tag: "CameraCalibration1")) {
        _ = try settings(color)
      }
    }
    var color = TestFrame.nikon
    color.analogBalance = Vector3(0, 1, 1)
    #expect(throws: DevelopError.colorMatrixUnusable(tag: "AnalogBalance")) {
      _ = try settings(color)
    }
    color.calibrations = []
    #expect(throws: DevelopError.colorMatrixMissing) { _ = try settings(color) }
    color = TestFrame.nikon
    color.asShotWhite = .chromaticity(Chromaticity(x: 0.3, y: 0))
    #expect(throws: DevelopError.neutralUnusable(tag: "AsShotWhiteXY")) { _ = try settings(color) }
  }

  @Test func settingsOutOfRange() {
    #expect(throws: DevelopError.self) { _ = try settings(TestFrame.nikon) { $0.exposure = .nan } }
    #expect(throws: DevelopError.self) {
      _ = try settings(TestFrame.nikon) { $0.boostAmount = 1.1 }
    }
    #expect(throws: DevelopError.self) {
      _ = try settings(TestFrame.nikon) { $0.neutralTemperature = 1999 }
    }
    #expect(throws: DevelopError.self) {
      _ = try settings(TestFrame.nikon) { $0.neutralTint = 151 }
    }
    var description = TestFrame.description(8, 8, layout: .mosaic(.rggb))
    description.baselineExposure = .infinity
    #expect(throws: DevelopError.self) {
      _ = try DevelopSettings(resolving: .init(), for: description)
    }
  }
}
