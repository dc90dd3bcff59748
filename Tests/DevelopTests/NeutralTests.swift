import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import Testing

@Suite struct NeutralTests {
  /// A grey card at the picture's pixels 20...35 in both directions, in front of something dark, as the camera
  /// sees it under a light that it recorded with `cast`.
  private static func card(
    _ cast: Vector3,
    layout: SampleLayout = .mosaic(.grbg),
    orientation: Orientation = .up,
    level: Double = 0.5
  ) throws -> RawFrame {
    let description = TestFrame.description(
      64,
      48,
      layout: layout,
      color: TestFrame.nikon,
      white: 65535,
      black: 512,
      orientation: orientation
    )
    return try TestFrame.frame(description) { column, y in
      let planes = layout.samplesPerPixel
      let x = column / planes
      let color =
        if case .mosaic(let pattern) = layout {
          pattern.colors[2 * (y & 1) + x & 1]
        } else {
          column % planes
        }
      let isCard = (20..<36).contains(x) && (20..<36).contains(y)
      let light = isCard ? level * cast[color] : 0.05
      return UInt16((512 + light * 65023).rounded())
    }
  }

  private static let cast = Vector3(0.62, 1, 0.55)

  private static func settings(
    _ frame: borrowing RawFrame,
    at point: RecipePoint
  ) throws -> DevelopSettings {
    let white = try NeutralSpot.white(at: point, of: frame)
    return try DevelopSettings(
      resolving: DevelopAdjustments(),
      for: frame.description,
      pickedWhite: white
    )
  }

  @Test(arguments: [
    SampleLayout.mosaic(.rggb), .mosaic(.grbg), .mosaic(.gbrg), .mosaic(.bggr),
    .linear(planes: 3),
  ])
  func thePlaceComesOutNeutral(layout: SampleLayout) throws {
    let frame = try Self.card(Self.cast, layout: layout)
    let white = try NeutralSpot.white(at: RecipePoint(x: 27, y: 28), of: frame)
    var adjustments = DevelopAdjustments.linear
    adjustments.neutralChromaticity = RecipePoint(x: white.x, y: white.y)
    let pixel = try Development(frame, adjustments, depths: [.sixteen]).pixel(27, 28)
    #expect(try #require(pixel.max()) - (try #require(pixel.min())) < 12)
    #expect(pixel[0] > 20000)
  }

  /// Places are those of the turned picture: the card is where it is seen.
  @Test(arguments: Orientation.allCases)
  func placesAreTheTurnedPictures(orientation: Orientation) throws {
    let upright = try NeutralSpot.white(
      at: RecipePoint(x: 27, y: 27),
      of: try Self.card(Self.cast)
    )
    let frame = try Self.card(Self.cast, orientation: orientation)
    let size = PixelSize(width: 64, height: 48)
    // The pixel (27, 27) of the stored picture, turned.
    let places: [Orientation: (Double, Double)] = [
      .up: (27, 27), .upMirrored: (36, 27), .down: (36, 20), .downMirrored: (27, 20),
      .leftMirrored: (27, 27), .right: (20, 27), .rightMirrored: (20, 36), .left: (27, 36),
    ]
    let place = try #require(places[orientation])
    #expect(orientation.turned(size).width > Int(place.0))
    let turned = try NeutralSpot.white(at: RecipePoint(x: place.0, y: place.1), of: frame)
    #expect(turned == upright)
  }

  /// The recipe's orientation stands in the place of the file's, its crop and the file's are no part of it.
  @Test func placesAreTheWholePictures() throws {
    let upright = try NeutralSpot.white(
      at: RecipePoint(x: 27, y: 27),
      of: try Self.card(Self.cast)
    )
    var frame = try Self.card(Self.cast, orientation: .left)
    frame.description.defaultUserCrop = DefaultUserCrop(top: 0.5, left: 0.5, bottom: 1, right: 1)
    var adjustments = DevelopAdjustments()
    adjustments.orientation = Orientation.down.rawValue
    adjustments.scaleFactor = 0.25
    adjustments.crop = CropRectangle(right: 0.1)
    let place = RecipePoint(x: 36, y: 20)
    #expect(try NeutralSpot.white(at: place, of: frame, as: adjustments) == upright)
  }

  /// A place is where the corrected picture shows it.
  @Test func placesAreTheCorrectedPictures() throws {
    var frame = try Self.card(Self.cast)
    // The corrected picture shows the middle at twice the size: the card from column 8 to 40.
    let warp = WarpRectilinear(
      sets: [.init(radial: [0.5, 0, 0, 0], tangential: [0, 0])],
      center: OpticalCenter(x: 0.5, y: 0.5)
    )
    frame.description.opcodeList3 = [
      Opcode(operation: .warpRectilinear(warp), isOptional: false, isSkippedForPreview: false)
    ]
    // Its column 27 comes from 29, its row 38 from 31: both are on the card.
    let place = RecipePoint(x: 27, y: 38)
    let corrected = try NeutralSpot.white(at: place, of: frame)
    let card = try NeutralSpot.white(at: RecipePoint(x: 27, y: 27), of: try Self.card(Self.cast))
    #expect(corrected == card)
    var off = DevelopAdjustments()
    off.isLensCorrectionEnabled = false
    #expect(try NeutralSpot.white(at: place, of: frame, as: off) != card)
  }

  @Test func thePickedWhiteIsTheSetting() throws {
    let frame = try Self.card(Self.cast)
    let settings = try Self.settings(frame, at: RecipePoint(x: 27, y: 27))
    let origins = settings.resolved.filter { $0.name.hasPrefix("neutral") }.map(\.origin)
    #expect(origins == [.recipe, .recipe, .recipe])
    #expect(
      settings.white != (try DevelopSettings(resolving: .init(), for: frame.description)).white
    )
  }

  @Test func refusedPlaces() throws {
    func error(_ frame: borrowing RawFrame, _ x: Double, _ y: Double) throws -> DevelopError? {
      do throws(DevelopError) {
        _ = try NeutralSpot.white(at: RecipePoint(x: x, y: y), of: frame)
        return nil
      } catch {
        return error
      }
    }
    let bright = try Self.card(Vector3(0.6, 1, 0.5), level: 1)
    #expect(
      try error(bright, 27, 27)
        == .neutralLocationUnusable(
          x: 27,
          y: 27,
          reason: "is clipped in green, so its colour is unknown"
        )
    )
    let dark = try Self.card(Vector3(0.6, 1, 0.5), level: 0.015)
    #expect(
      try error(dark, 27, 27)
        == .neutralLocationUnusable(
          x: 27,
          y: 27,
          reason: "is too dark: red is under a hundredth of white"
        )
    )
    #expect(
      try error(dark, 64, 3)
        == .neutralLocationUnusable(
          x: 64,
          y: 3,
          reason: "lies outside the picture of 64x48 pixels"
        )
    )
    #expect(try error(try Self.card(Self.cast), 0, 0) == nil)
    #expect(try error(try Self.card(Self.cast), 63.4, 47) == nil)
  }

  /// A chromaticity and the temperature and tint that stand for it give the same picture.
  @Test func chromaticityEqualsTemperatureAndTint() throws {
    let frame = try Self.card(Self.cast)
    let white = ColorTemperature(kelvin: 4300, tint: -12)
    var by = (chromaticity: DevelopAdjustments.linear, temperature: DevelopAdjustments.linear)
    let point = white.chromaticity
    by.chromaticity.neutralChromaticity = RecipePoint(x: point.x, y: point.y)
    by.temperature.neutralTemperature = 4300
    by.temperature.neutralTint = -12
    #expect(try Development(frame, by.chromaticity) == Development(frame, by.temperature))
    let settings = try DevelopSettings(resolving: by.chromaticity, for: frame.description)
    #expect(abs(settings.neutralTemperature - 4300) < 1 && abs(settings.neutralTint + 12) < 0.05)
  }

  @Test func implausibleChromaticities() throws {
    let frame = try Self.card(Self.cast)
    for point in [RecipePoint(x: 0, y: 0.3), RecipePoint(x: 0.7, y: 0.4)] {
      var adjustments = DevelopAdjustments()
      adjustments.neutralChromaticity = point
      #expect(throws: DevelopError.neutralUnusable(tag: "neutralChromaticity")) {
        try DevelopSettings(resolving: adjustments, for: frame.description)
      }
    }
  }
}
