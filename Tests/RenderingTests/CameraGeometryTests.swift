import ColorScience
import Develop
import JSON
import Raster
import RawModel
import Recipe
import Rendering
import Testing

/// Intrinsic matrices of synthetic cameras.
@Suite struct CameraGeometryTests {
  /// A sensor of 36 x 24 mm with 6000 x 4000 pixels in the crop, six micrometres apart, behind a 50 mm lens.
  private static func description(
    _ change: (inout RawDescription) -> Void = { _ in }
  ) -> RawDescription {
    var description = RawDescription(
      size: PixelSize(width: 6100, height: 4060),
      layout: .mosaic(.rggb),
      bitsPerSample: 14,
      linearizationTable: nil,
      blackLevel: BlackLevel(
        repeatRows: 1,
        repeatColumns: 1,
        samplesPerPixel: 1,
        values: [512]
      ),
      whiteLevel: [16_383],
      activeArea: Region(left: 50, top: 30, width: 6040, height: 4020),
      defaultCrop: DefaultCrop(originX: 20, originY: 10, width: 6000, height: 4000),
      orientation: .up,
      color: CameraColor(
        calibrations: [.init(illuminant: 21, colorMatrix: RGBSpace.displayP3.fromXYZ)],
        asShotWhite: .neutral(Vector3(1, 1, 1))
      ),
      capture: CaptureMetadata(
        focalLengthMillimetres: 50,
        focalLengthIn35mmFilm: 50,
        focalPlane: FocalPlane(
          pixelsPerMillimetreX: 6000.0 / 36,
          pixelsPerMillimetreY: 4000.0 / 24,
          imageWidth: 6000,
          imageHeight: 4000
        )
      )
    )
    change(&description)
    return description
  }

  private func geometry(
    _ description: RawDescription,
    _ level: LinearLevel = .scene(.xyzD50),
    _ adjust: (inout DevelopAdjustments) -> Void = { _ in }
  ) throws -> CameraGeometry {
    var adjustments = DevelopAdjustments()
    adjust(&adjustments)
    let development = try LinearDevelopment(
      description,
      settings: DevelopSettings(resolving: adjustments, for: description),
      level: level
    )
    return CameraGeometry(description, map: development.map, optics: development.optics)
  }

  private static func warp(_ kr0: Double, x: Double = 0.52, y: Double = 0.47) -> Opcode {
    Opcode(
      operation: .warpRectilinear(
        WarpRectilinear(
          sets: [.init(radial: [kr0, 0.01, 0, 0], tangential: [0, 0])],
          center: OpticalCenter(x: x, y: y)
        )
      ),
      isOptional: true,
      isSkippedForPreview: false
    )
  }

  @Test func theLensAndThePixelsGiveTheMatrix() throws {
    let geometry = try geometry(Self.description())
    let focal = try #require(geometry.focalLength)
    #expect(abs(focal.x - 50 / 0.006) < 1e-9 && abs(focal.y - 50 / 0.006) < 1e-9)
    #expect(focal.source == "FocalLength and FocalPlaneXResolution" && !focal.isUncertain)
    // The centre of the active area, which the crop's corner leaves by 20 and 10 pixels.
    #expect(geometry.principalPoint.x == 3019.5 - 20 && geometry.principalPoint.y == 2009.5 - 10)
    #expect(geometry.principalPoint.isUncertain && geometry.distortion == .unknown)
    let rows = try #require(geometry.json["matrix"]?.arrayValue)
    #expect(rows[0] == [JSONValue(focal.x), 0, 2999.5] && rows[2] == [0, 0, 1])
  }

  /// Turned by a quarter, halved and cropped: the matrix is that of the written picture.
  @Test func theMatrixFollowsThePixels() throws {
    let turned = try geometry(
      Self.description {
        $0.orientation = .right
        $0.capture.focalPlane?.pixelsPerMillimetreY = 200
        $0.capture.focalLengthIn35mmFilm = nil
      }
    )
    let focal = try #require(turned.focalLength)
    #expect(abs(focal.x - 10_000) < 1e-9 && abs(focal.y - 50 / 0.006) < 1e-9)
    #expect(turned.principalPoint.x == 3999 - 1999.5 && turned.principalPoint.y == 2999.5)
    let half = try geometry(Self.description()) { $0.scaleFactor = 0.5 }
    let halved = try #require(half.focalLength)
    #expect(abs(halved.x - 25 / 0.006) < 1e-9)
    // A pixel of the half covers two; the first centre lies half a pixel in.
    #expect(abs(half.principalPoint.x - (2999.5 - 0.5) / 2) < 1e-9)
    let planes = try geometry(Self.description(), .codes(isLinearized: false, .planes))
    #expect(abs((planes.focalLength?.x ?? 0) - 25 / 0.006) < 1e-9)
    #expect(planes.principalPoint.x == 2999.5 / 2)
    let squeezed = try geometry(
      Self.description {
        $0.defaultScale = DefaultScale(horizontal: 2, vertical: 1)
        $0.capture.focalPlane?.imageWidth = 12_000
        $0.capture.focalPlane?.pixelsPerMillimetreX = 12_000.0 / 36
      }
    )
    let square = try #require(squeezed.focalLength)
    #expect(abs(square.x - 50 * 12_000 / 36) < 1e-9 && abs(square.y - 50 / 0.006) < 1e-9)
  }

  @Test func whatIsDoubtfulIsMarked() throws {
    // The Exif image is another than the raw's crop.
    let other = try geometry(Self.description { $0.capture.focalPlane?.imageWidth = 3000 })
    #expect(other.focalLength?.isUncertain == true)
    let unsaid = try geometry(
      Self.description {
        $0.capture.focalPlane?.imageWidth = nil
        $0.capture.focalPlane?.imageHeight = nil
      }
    )
    #expect(unsaid.focalLength?.isUncertain == true)
    // The two focal lengths are of different sensors.
    let apart = try geometry(Self.description { $0.capture.focalLengthIn35mmFilm = 75 })
    #expect(apart.focalLength?.isUncertain == true)
    #expect(abs((apart.focalLength?.x ?? 0) - 50 / 0.006) < 1e-9)
  }

  @Test func theEquivalentIsTheSecondSource() throws {
    let equivalent = try geometry(Self.description { $0.capture.focalPlane = nil })
    let focal = try #require(equivalent.focalLength)
    // 50 mm over a diagonal of 43.267 mm and 7211.1 pixels.
    #expect(abs(focal.x - 50 / 0.006) < 1e-9)
    #expect(focal.isUncertain && focal.source.hasPrefix("FocalLengthIn35mmFilm"))
    // 72 pixels to an inch is what screens have, not sensors.
    let screen = try geometry(
      Self.description {
        $0.capture.focalPlane = FocalPlane(
          pixelsPerMillimetreX: 72 / 25.4,
          pixelsPerMillimetreY: 72 / 25.4
        )
      }
    )
    #expect(screen.focalLength == focal)
  }

  @Test func whatIsNotSaidIsAbsent() throws {
    let silent = try geometry(Self.description { $0.capture = CaptureMetadata() })
    #expect(silent.focalLength == nil && silent.matrix == nil)
    #expect(silent.json["matrix"] == nil && silent.json["focalLength"] == nil)
    #expect(silent.json["principalPoint"]?["cx"] == 2999.5)
    let lens = try geometry(
      Self.description { $0.capture = CaptureMetadata(focalLengthMillimetres: 50) }
    )
    #expect(lens.focalLength == nil)
  }

  @Test func warpsSayTheCentre() throws {
    let description = Self.description { $0.opcodeList3 = [Self.warp(1.25)] }
    let corrected = try geometry(description)
    #expect(corrected.distortion == .corrected)
    #expect(!corrected.principalPoint.isUncertain)
    #expect(abs(corrected.principalPoint.x - (0.52 * 6039 - 20)) < 1e-9)
    #expect(abs(corrected.principalPoint.y - (0.47 * 4019 - 10)) < 1e-9)
    // A pixel comes from 1.25 times its distance: the picture is smaller by that.
    #expect(abs((corrected.focalLength?.x ?? 0) - 50 / 0.006 / 1.25) < 1e-9)
    let left = try geometry(description) { $0.isLensCorrectionEnabled = false }
    #expect(left.distortion == .uncorrected && !left.principalPoint.isUncertain)
    #expect(abs((left.focalLength?.x ?? 0) - 50 / 0.006) < 1e-9)
    let mosaic = try geometry(description, .samples(isBalanced: false, .cfa))
    #expect(mosaic.distortion == .uncorrected)
    #expect(abs(mosaic.principalPoint.x - (0.52 * 6039 - 20)) < 1e-9)
  }

  /// An unwrapped fisheye has the focal length of its farthest corner's distance, whatever Exif says.
  @Test func fisheyesSayTheFocalLength() throws {
    let fisheye = Opcode(
      operation: .warpFisheye(
        WarpFisheye(sets: [[0.8, 0, 0, 0]], center: OpticalCenter(x: 0.5, y: 0.5))
      ),
      isOptional: true,
      isSkippedForPreview: false
    )
    let description = Self.description { $0.opcodeList3 = [fisheye] }
    let corrected = try geometry(description)
    let corner = (3019.5 * 3019.5 + 2009.5 * 2009.5).squareRoot()
    #expect(abs((corrected.focalLength?.x ?? 0) - corner) < 1e-9)
    #expect(corrected.focalLength?.isUncertain == false)
    #expect(corrected.principalPoint.x == 2999.5)
    let left = try geometry(description) { $0.isLensCorrectionEnabled = false }
    #expect(abs((left.focalLength?.x ?? 0) - 50 / 0.006) < 1e-9)
  }
}
