import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import Testing

@Suite struct GeometryTests {
  /// Where the stored picture's corner pixel (0, 0) and its right neighbour (1, 0) are seen.
  ///
  /// Exif 2.32, Orientation: the visual position of the 0th row and the 0th column.
  @Test(arguments: [
    (Orientation.up, (0, 0), (1, 0)), (.upMirrored, (4, 0), (3, 0)), (.down, (4, 2), (3, 2)),
    (.downMirrored, (0, 2), (1, 2)), (.leftMirrored, (0, 0), (0, 1)), (.right, (2, 0), (2, 1)),
    (.rightMirrored, (2, 4), (2, 3)), (.left, (0, 4), (0, 3)),
  ])
  func orientations(orientation: Orientation, corner: (Int, Int), neighbour: (Int, Int)) throws {
    let description = TestFrame.description(
      5,
      3,
      layout: .linear(planes: 1),
      orientation: orientation
    )
    let frame = try TestFrame.frame(description) { x, y in UInt16(4000 * (y * 5 + x)) }
    let result = try Development(frame, .linear)
    let isTurned = orientation.isTransposed
    #expect(result.width == (isTurned ? 3 : 5) && result.height == (isTurned ? 5 : 3))
    let expected = Int(TransferFunction.sRGB.encode(4000.0 / 65535) * 65535 + 0.5)
    #expect(result.pixel(corner.0, corner.1)[0] == 0)
    #expect(abs(result.pixel(neighbour.0, neighbour.1)[0] - expected) <= 1)
    // Every stored pixel is there once, in both depths.
    #expect(Set(result.sixteen).count == 15)
    for index in result.sixteen.indices {
      #expect(abs(Double(result.eight[index]) - Double(result.sixteen[index]) / 257) < 1.07)
    }
  }

  @Test(arguments: Orientation.allCases)
  func turnedMosaicsHaveTheSamePixels(orientation: Orientation) throws {
    let upright = try Development(
      try TestFrame.noise(TestFrame.description(22, 15, layout: .mosaic(.bggr)), seed: 2),
      .linear
    )
    let turned = try Development(
      try TestFrame.noise(
        TestFrame.description(22, 15, layout: .mosaic(.bggr), orientation: orientation),
        seed: 2
      ),
      .linear,
      tileSize: PixelSize(width: 5, height: 4)
    )
    for y in 0..<15 {
      for x in 0..<22 {
        let (u, v) =
          switch orientation {
          case .up: (x, y)
          case .upMirrored: (21 - x, y)
          case .down: (21 - x, 14 - y)
          case .downMirrored: (x, 14 - y)
          case .leftMirrored: (y, x)
          case .right: (14 - y, x)
          case .rightMirrored: (14 - y, 21 - x)
          case .left: (y, 21 - x)
          }
        #expect(turned.pixel(u, v) == upright.pixel(x, y))
      }
    }
  }

  @Test(arguments: [
    (
      DefaultCrop(originX: 1.5, originY: 0.4, width: 6.5, height: 3.49),
      PixelSize(width: 7, height: 3)
    ),
    (DefaultCrop(originX: 0, originY: 0, width: 100, height: 100), PixelSize(width: 12, height: 9)),
    (DefaultCrop(originX: 11, originY: 8, width: 1, height: 1), PixelSize(width: 1, height: 1)),
  ])
  func cropsAreRoundedAndKeptInside(crop: DefaultCrop, size: PixelSize) throws {
    var description = TestFrame.description(16, 12, layout: .mosaic(.rggb))
    description.activeArea = Region(left: 2, top: 1, width: 12, height: 9)
    description.defaultCrop = crop
    let result = try Development(try TestFrame.noise(description, seed: 1), .linear)
    #expect(PixelSize(width: result.width, height: result.height) == size)
  }

  /// The crop must not change how its pixels are reconstructed.
  @Test func aCropIsAPartOfTheWhole() throws {
    var description = TestFrame.description(40, 30, layout: .mosaic(.gbrg))
    let whole = try Development(try TestFrame.noise(description, seed: 4), .linear)
    description.defaultCrop = DefaultCrop(originX: 7, originY: 5, width: 21, height: 18)
    let part = try Development(try TestFrame.noise(description, seed: 4), .linear)
    for y in 0..<18 {
      for x in 0..<21 { #expect(part.pixel(x, y) == whole.pixel(x + 7, y + 5)) }
    }
  }

  @Test(arguments: [(1, 1), (2, 2), (1, 4), (3, 1), (7, 5)], CFAPattern.allCases)
  func tinyMosaicsDevelop(size: (Int, Int), pattern: CFAPattern) throws {
    let description = TestFrame.description(size.0, size.1, layout: .mosaic(pattern))
    let frame = try TestFrame.frame(description) { _, _ in 20000 }
    let result = try Development(frame, .linear)
    let expected = TransferFunction.sRGB.encode(20000.0 / 65535) * 65535
    #expect(result.sixteen.count == 3 * size.0 * size.1)
    for value in result.sixteen { #expect(abs(Double(value) - expected) < 2) }
  }

  @Test(arguments: [
    Region(left: -1, top: 0, width: 4, height: 4), Region(left: 0, top: 0, width: 0, height: 4),
    Region(left: 5, top: 0, width: 4, height: 4), Region(left: 0, top: 0, width: .max, height: 1),
  ])
  func activeAreasOutsideTheFrameAreRefused(area: Region) throws {
    var description = TestFrame.description(8, 8, layout: .mosaic(.rggb))
    description.activeArea = area
    let frame = try TestFrame.noise(description, seed: 1)
    #expect(throws: DevelopError.self) { _ = try Development(frame, .linear) }
  }

  @Test(arguments: [
    DefaultCrop(originX: .nan, originY: 0, width: 4, height: 4),
    DefaultCrop(originX: 0, originY: -1, width: 4, height: 4),
    DefaultCrop(originX: 0, originY: 0, width: 0.2, height: 4),
    DefaultCrop(originX: 9, originY: 0, width: 4, height: 4),
    DefaultCrop(originX: 0, originY: 0, width: .infinity, height: 4),
  ])
  func cropsWithoutPixelsAreRefused(crop: DefaultCrop) throws {
    var description = TestFrame.description(8, 8, layout: .mosaic(.rggb))
    description.defaultCrop = crop
    let frame = try TestFrame.noise(description, seed: 1)
    #expect(throws: DevelopError.self) { _ = try Development(frame, .linear) }
  }
}
