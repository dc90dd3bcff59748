import Develop
import Raster
import RawModel
import Recipe
import Testing

/// Where points of the active area lie in what is written.
@Suite struct PixelMapTests {
  private func map(
    _ level: LinearLevel,
    orientation: Orientation = .up,
    _ adjust: (inout DevelopAdjustments) -> Void = { _ in }
  ) throws -> PixelMap {
    var description = TestFrame.description(
      104,
      84,
      layout: .mosaic(.rggb),
      orientation: orientation
    )
    description.activeArea = Region(left: 2, top: 2, width: 100, height: 80)
    description.defaultCrop = DefaultCrop(originX: 4, originY: 10, width: 90, height: 60)
    var adjustments = DevelopAdjustments.measuring
    adjust(&adjustments)
    return try LinearDevelopment(
      description,
      settings: DevelopSettings(resolving: adjustments, for: description),
      level: level
    ).map
  }

  /// The crop's corner pixel is the picture's.
  @Test(arguments: [
    (Orientation.up, 0.0, 0.0), (.upMirrored, 89, 0), (.down, 89, 59), (.downMirrored, 0, 59),
    (.leftMirrored, 0, 0), (.right, 59, 0), (.rightMirrored, 59, 89), (.left, 0, 89),
  ])
  func orientationTurnsPoints(orientation: Orientation, x: Double, y: Double) throws {
    let map = try map(.scene(.xyzD50), orientation: orientation)
    let place = map.place(x: 4, y: 10)
    #expect(place.x == x && place.y == y)
    #expect(map.scaleX == 1 && map.scaleY == 1)
    #expect(map.isTransposed == orientation.isTransposed)
  }

  /// At a third of the size a pixel covers three: the first one's centre is the second of those.
  @Test func scaleMovesCentres() throws {
    let map = try map(.scene(.xyzD50)) { $0.scaleFactor = 1.0 / 3 }
    let place = map.place(x: 5, y: 11)
    #expect(abs(place.x) < 1e-12 && abs(place.y) < 1e-12)
    #expect(abs(map.scaleX - 1.0 / 3) < 1e-12)
    let last = map.place(x: 92, y: 68)
    #expect(abs(last.x - 29) < 1e-12 && abs(last.y - 19) < 1e-12)
  }

  /// Cells without resizing: the first covers the pixels 4 and 5, 10 and 11.
  @Test func draftsHaveCells() throws {
    let map = try map(.scene(.xyzD50)) { $0.isDraftModeEnabled = true }
    let place = map.place(x: 4.5, y: 10.5)
    #expect(place.x == 0 && place.y == 0 && map.scaleX == 0.5)
  }

  @Test func mosaicsAreNotTurned() throws {
    let cfa = try map(.samples(isBalanced: false, .cfa), orientation: .right)
    let corner = cfa.place(x: 4, y: 10)
    let other = cfa.place(x: 7, y: 12)
    #expect(corner.x == 0 && corner.y == 0 && other.x == 3 && other.y == 2)
    let planes = try map(.codes(isLinearized: false, .planes), orientation: .right)
    let cell = planes.place(x: 8, y: 13)
    #expect(cell.x == 2 && cell.y == 1.5 && planes.scaleX == 0.5)
  }
}
