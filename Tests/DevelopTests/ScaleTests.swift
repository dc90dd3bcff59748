import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import Testing

/// Scales, drafts and crops.
@Suite struct ScaleTests {
  private static func developed(
    _ frame: borrowing RawFrame,
    _ change: (inout DevelopAdjustments) -> Void
  ) throws -> LinearPicture {
    var adjustments = DevelopAdjustments.linear
    change(&adjustments)
    return LinearPicture(
      try Development(
        frame,
        adjustments,
        depths: [.sixteen],
        tileSize: PixelSize(width: 37, height: 29)
      )
    )
  }

  @Test(arguments: [(1.0, 90, 60), (0.7, 63, 42), (0.5, 45, 30), (0.3, 27, 18), (0.01, 1, 1)])
  func sizesAndFlatPictures(scale: Double, width: Int, height: Int) throws {
    let flat = LinearPicture(90, 60) { _, _ in Vector3(0.6, 0.3, 0.1) }
    let result = try Self.developed(try flat.frame()) { $0.scaleFactor = scale }
    #expect(result.width == width && result.height == height)
    let expected = LinearPicture(width, height) { _, _ in Vector3(0.6, 0.3, 0.1) }
    #expect(result.difference(from: expected) < 2e-5)
  }

  /// A quarter of the size is the mean of 4x4 pixels.
  @Test func areasAreAveraged() throws {
    let picture = LinearPicture.texture(96, 64)
    let result = try Self.developed(try picture.frame()) { $0.scaleFactor = 0.25 }
    let expected = LinearPicture(24, 16) { x, y in
      var sum = Vector3(0, 0, 0)
      for v in 0..<4 {
        for u in 0..<4 {
          for color in 0..<3 { sum[color] += picture[4 * x + u, 4 * y + v, color] / 16 }
        }
      }
      return sum
    }
    #expect(result.difference(from: expected) < 3e-5)
  }

  /// The Lanczos kernel, stretched, in double precision; at the picture's edges pixels are mirrored.
  @Test func lanczos() throws {
    let picture = LinearPicture.texture(60, 50)
    let result = try Self.developed(try picture.frame()) { $0.scaleFactor = 0.8 }
    func kernel(_ x: Double) -> Double {
      if abs(x) < 1e-9 { return 1 }
      if abs(x) >= 3 { return 0 }
      let a = Double.pi * x
      return 3 * PortableMath.sin(a) * PortableMath.sin(a / 3) / (a * a)
    }
    let expected = LinearPicture(48, 40) { x, y in
      let centerX = (Double(x) + 0.5) / 0.8 - 0.5
      let centerY = (Double(y) + 0.5) / 0.8 - 0.5
      var sum = Vector3(0, 0, 0)
      var weights = 0.0
      for v in (Int(centerY) - 5)...(Int(centerY) + 6) {
        for u in (Int(centerX) - 5)...(Int(centerX) + 6) {
          let weight = kernel((Double(u) - centerX) * 0.8) * kernel((Double(v) - centerY) * 0.8)
          weights += weight
          for color in 0..<3 {
            sum[color] +=
              weight * picture[TwinFormula.mirrored(u, 60), TwinFormula.mirrored(v, 50), color]
          }
        }
      }
      return sum / weights
    }
    #expect(result.difference(from: expected) < 3e-5)
  }

  /// A draft has a pixel for each cell: its red, the mean of its greens, its blue.
  @Test(arguments: CFAPattern.allCases, [40, 41])
  func draftsAreCells(pattern: CFAPattern, width: Int) throws {
    let description = TestFrame.description(width, 30, layout: .mosaic(pattern))
    let frame = try TestFrame.frame(description) { x, y in UInt16(300 * (x + 2 * y)) }
    let result = try Self.developed(frame) { $0.isDraftModeEnabled = true }
    #expect(result.width == (width + 1) / 2 && result.height == 15)
    let expected = LinearPicture(20, 15) { x, y in
      var sum = Vector3(0, 0, 0)
      for (index, color) in pattern.colors.enumerated() {
        let value = Double(300 * (2 * x + index % 2 + 2 * (2 * y + index / 2))) / 65535
        sum[color] += color == 1 ? value / 2 : value
      }
      return sum
    }
    let whole = LinearPicture(20, 15) { x, y in
      Vector3(result[x, y, 0], result[x, y, 1], result[x, y, 2])
    }
    #expect(whole.difference(from: expected) < 3e-5)
  }

  /// What previews may skip is skipped in drafts, and said so.
  @Test func draftsSkipWhatPreviewsMay() throws {
    let picture = LinearPicture.texture(40, 40)
    let vignette = FixVignetteRadial(
      coefficients: [-0.5, 0, 0, 0, 0],
      center: OpticalCenter(x: 0.5, y: 0.5)
    )
    let frame = try picture.frame { description in
      description.opcodeList3 = [
        Opcode(
          operation: .fixVignetteRadial(vignette),
          isOptional: false,
          isSkippedForPreview: true
        )
      ]
    }
    var draft = DevelopAdjustments.linear
    draft.isDraftModeEnabled = true
    let settings = try DevelopSettings(resolving: draft, for: frame.description)
    #expect(settings.skippedOpcodes == ["OpcodeList3 FixVignetteRadial"])
    let plain = try Self.developed(try picture.frame()) { $0.isDraftModeEnabled = true }
    let skipped = try Self.developed(frame) { $0.isDraftModeEnabled = true }
    #expect(skipped.difference(from: plain) == 0)
  }

  @Test func defaultScaleMakesPixelsSquare() throws {
    let picture = LinearPicture(40, 30) { x, y in Vector3(repeating: Double(x + y) / 100) }
    let frame = try picture.frame { $0.defaultScale = DefaultScale(horizontal: 1, vertical: 2) }
    let result = try Self.developed(frame) { _ in }
    #expect(result.width == 40 && result.height == 60)
    // Within, a ramp stays a ramp but for the kernel's ripple, a fiftieth of a sample's step.
    for y in 12..<48 {
      let expected = (20 + (Double(y) + 0.5) / 2 - 0.5) / 100
      #expect(abs(result[20, y, 1] - expected) < 3e-4)
    }
  }

  @Test func userCropOfTheFile() throws {
    let picture = LinearPicture.texture(80, 60)
    let frame = try picture.frame {
      $0.defaultUserCrop = DefaultUserCrop(top: 0.5, left: 0.25, bottom: 1, right: 0.75)
    }
    let result = try Self.developed(frame) { _ in }
    #expect(result.width == 40 && result.height == 30)
    #expect(abs(result[0, 0, 0] - picture[20, 30, 0]) < 3e-5)
    // The recipe's crop is one of the whole picture.
    let whole = try Self.developed(frame) { $0.crop = .whole }
    #expect(whole.width == 80 && whole.height == 60)
  }

  /// A crop means the same part of what is seen, however the file is turned.
  @Test(arguments: Orientation.allCases)
  func cropsAreOfWhatIsSeen(orientation: Orientation) throws {
    let picture = LinearPicture.texture(80, 40)
    let frame = try picture.frame { $0.orientation = orientation }
    let seen = try Self.developed(frame) { _ in }
    let crop = CropRectangle(left: 0.25, top: 0.1, right: 0.75, bottom: 0.5)
    let part = try Self.developed(frame) { $0.crop = crop }
    let left = seen.width / 4
    let top = seen.height / 10
    #expect(part.width == seen.width / 2 && part.height == seen.height * 2 / 5)
    let expected = LinearPicture(part.width, part.height) { x, y in
      Vector3(
        seen[x + left, y + top, 0],
        seen[x + left, y + top, 1],
        seen[x + left, y + top, 2]
      )
    }
    #expect(part.difference(from: expected) == 0)
    // The recipe's orientation stands in the place of the file's.
    let turned = try Self.developed(try picture.frame()) {
      $0.orientation = orientation.rawValue
      $0.crop = crop
    }
    #expect(turned.difference(from: part) == 0)
  }

  @Test func emptyCropsAreRefused() throws {
    let frame = try LinearPicture.texture(20, 20).frame()
    #expect(
      throws: DevelopError.settingOutOfRange(
        name: "extra.crop.right",
        value: 0.2,
        minimum: 0.5,
        maximum: 1
      )
    ) {
      _ = try Self.developed(frame) { $0.crop = CropRectangle(left: 0.5, right: 0.2) }
    }
  }

  /// What counts pixels of a trimmed image is not done, and said so; optics are.
  @Test func opcodesBehindTrimBounds() throws {
    func opcode(_ operation: Opcode.Operation, isOptional: Bool = true) -> Opcode {
      Opcode(operation: operation, isOptional: isOptional, isSkippedForPreview: false)
    }
    let vignette = FixVignetteRadial(
      coefficients: [0.1, 0, 0, 0, 0],
      center: OpticalCenter(x: 0.5, y: 0.5)
    )
    let area = OpcodeArea(top: 0, left: 0, bottom: 0, right: 0, planes: 3)
    let map = MapPolynomial(area: area, coefficients: [0, 0.5])
    var description = TestFrame.description(60, 50, layout: .linear(planes: 3))
    description.opcodeList3 = [
      opcode(.mapPolynomial(map)),
      opcode(.trimBounds(Region(left: 10, top: 5, width: 40, height: 30))),
      opcode(.mapPolynomial(map)), opcode(.fixVignetteRadial(vignette)),
    ]
    let settings = try DevelopSettings(resolving: .linear, for: description)
    #expect(settings.skippedOpcodes == ["OpcodeList3 MapPolynomial"])
    let stages = try Developer.stages(of: description, settings: settings).map(\.name)
    #expect(stages.filter { $0 == "mapPolynomial" }.count == 1)
    #expect(stages.contains("fixVignetteRadial"))
    description.opcodeList3[2] = opcode(.mapPolynomial(map), isOptional: false)
    #expect(
      throws: DevelopError.opcodeUnsupported(
        list: 3,
        id: description.opcodeList3[2].id,
        name: "MapPolynomial"
      )
    ) { try Developer.stages(of: description, settings: settings) }
  }

  @Test func trimBounds() throws {
    let picture = LinearPicture.texture(60, 50)
    let trim = Opcode.Operation.trimBounds(Region(left: 10, top: 5, width: 40, height: 30))
    let frame = try picture.frame { description in
      description.opcodeList3 = [
        Opcode(operation: trim, isOptional: false, isSkippedForPreview: false)
      ]
    }
    let result = try Self.developed(frame) { _ in }
    #expect(result.width == 40 && result.height == 30)
    #expect(abs(result[3, 4, 2] - picture[13, 9, 2]) < 3e-5)
  }
}
