import Develop
import Diagnostics
import Raster
import RawModel
import Recipe
import Testing

@Suite struct DevelopErrorTests {
  @Test(arguments: [
    (
      DevelopError.raster(.allocationRefused(bytes: 1, limit: 2)), "allocationRefused",
      Disposition.resource
    ),
    (.colorMatrixMissing, "colorMatrixMissing", .permanent),
    (.colorMatrixUnusable(tag: "ColorMatrix1"), "colorMatrixUnusable", .permanent),
    (.neutralUnusable(tag: "AsShotNeutral"), "neutralUnusable", .permanent),
    (.levelsUnusable(sample: 0, black: 2, white: 1), "levelsUnusable", .permanent),
    (.geometryUnusable(tag: "ActiveArea", reason: "is empty"), "geometryUnusable", .permanent),
    (
      .opcodeUnsupported(list: 3, id: 1, name: "WarpRectilinear"), "opcodeUnsupported", .permanent
    ),
    (
      .opcodeUnusable(list: 2, name: "GainMap", reason: "has no points"), "opcodeUnusable",
      .permanent
    ),
    (
      .profileUnusable(tag: "ProfileToneCurve", reason: "has 1 point"), "profileUnusable",
      .permanent
    ),
    (.lookUnusable(name: "a.cube", line: 1, reason: "r"), "lookUnusable", .permanent),
    (
      .neutralLocationUnusable(x: 1, y: 2, reason: "is clipped"), "neutralLocationUnusable",
      .permanent
    ),
    (.layoutUnsupported(planes: 4), "layoutUnsupported", .permanent),
    (.filterArrayUnsupported("6x6"), "filterArrayUnsupported", .permanent),
    (.mosaicMissing, "mosaicMissing", .permanent),
    (
      .opcodeUnusable(list: 3, name: "WarpRectilinear", reason: "is odd"), "opcodeUnusable",
      .permanent
    ),
    (
      .settingOutOfRange(name: "boostAmount", value: 2, minimum: 0, maximum: 1),
      "settingOutOfRange", .permanent
    ),
  ])
  func slugsAndDispositions(error: DevelopError, code: String, disposition: Disposition) {
    #expect(error.code.rawValue == code)
    #expect(error.disposition == disposition)
    #expect(!error.message.isEmpty)
  }

  @Test(arguments: [(1000.0, 1000.0), (1200, 1000), (0, 0), (0, .nan), (.infinity, 1000)])
  func unusableLevels(black: Double, white: Double) throws {
    let description = TestFrame.description(
      8,
      8,
      layout: .mosaic(.rggb),
      white: white,
      black: black
    )
    let frame = try TestFrame.noise(description, seed: 1)
    #expect {
      _ = try Development(frame, .linear)
    } throws: { error in
      if case DevelopError.levelsUnusable = error { return true }
      return false
    }
  }

  @Test func fourPlanesAreRefused() throws {
    let description = TestFrame.description(4, 4, layout: .linear(planes: 4))
    let frame = try TestFrame.noise(description, seed: 1)
    #expect(throws: DevelopError.layoutUnsupported(planes: 4)) {
      _ = try Development(frame, .linear)
    }
  }

  @Test func samplesOfAnotherSizeAreRefused() throws {
    let description = TestFrame.description(8, 8, layout: .mosaic(.rggb))
    let frame = RawFrame(
      samples: try Plane<UInt16>(width: 8, height: 7),
      description: description
    )
    #expect(throws: DevelopError.self) { _ = try Development(frame, .linear) }
  }

  @Test func gainMapsThatMakeNoSense() throws {
    let sound = GainMap(
      area: OpcodeArea(
        top: 0,
        left: 0,
        bottom: 8,
        right: 8
      ),
      pointsV: 2,
      pointsH: 2,
      spacingV: 1,
      spacingH: 1,
      originV: 0,
      originH: 0,
      mapPlanes: 1,
      gains: [1, 1, 1, 1]
    )
    let changes: [(inout GainMap) -> Void] = [
      { $0.gains.removeLast() }, { $0.pointsV = 0 }, { $0.pointsH = .max },
      { $0.area.rowPitch = 0 },
      { $0.area.columnPitch = 0 }, { $0.spacingH = 0 }, { $0.spacingV = .nan },
      { $0.gains[2] = .nan },
      { $0.mapPlanes = 0 },
    ]
    for change in changes {
      var map = sound
      change(&map)
      var description = TestFrame.description(8, 8, layout: .mosaic(.rggb))
      description.opcodeList2 = [
        Opcode(operation: .gainMap(map), isOptional: true, isSkippedForPreview: false)
      ]
      let frame = try TestFrame.noise(description, seed: 1)
      #expect {
        _ = try Development(frame, .linear)
      } throws: { error in
        if case DevelopError.opcodeUnusable = error { return true }
        return false
      }
    }
  }
}
