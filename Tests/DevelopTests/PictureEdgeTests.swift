import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import Testing

/// Pictures smaller than the halos of their stages, and tiles smaller than these.
@Suite struct PictureEdgeTests {
  /// What of a development looks at neighbours, under every kind of pass.
  enum Work: CaseIterable {
    case defaults, neighbours, warped, reduced, averaged, draft, plainDraft, enlarged
  }

  private static func change(_ work: Work, _ description: inout RawDescription) {
    switch work {
    case .defaults, .neighbours, .reduced, .averaged, .draft, .plainDraft: break
    case .warped:
      let warp = WarpRectilinear(
        sets: [.init(radial: [0.9, 0.1, 0, 0], tangential: [0.01, 0])],
        center: OpticalCenter(x: 0.4, y: 0.6)
      )
      description.opcodeList3 = [
        Opcode(operation: .warpRectilinear(warp), isOptional: false, isSkippedForPreview: false)
      ]
    case .enlarged: description.defaultScale = DefaultScale(horizontal: 1.3, vertical: 2)
    }
  }

  private static func adjustments(_ work: Work) -> DevelopAdjustments {
    var adjustments = DevelopAdjustments()
    adjustments.isDraftModeEnabled = work == .plainDraft
    guard work != .defaults && work != .plainDraft else { return adjustments }
    adjustments.luminanceNoiseReductionAmount = 0.5
    adjustments.colorNoiseReductionAmount = 0.5
    adjustments.sharpnessAmount = 0.7
    adjustments.detailAmount = 1
    adjustments.contrastAmount = 0.8
    adjustments.moireReductionAmount = 0.5
    adjustments.despeckleAmount = 0.5
    adjustments.localContrastCompress = 0.5
    switch work {
    case .defaults, .neighbours, .warped, .plainDraft, .enlarged: break
    case .reduced: adjustments.scaleFactor = 0.8
    case .averaged: adjustments.scaleFactor = 0.2
    case .draft: adjustments.isDraftModeEnabled = true
    }
    return adjustments
  }

  @Test(
    arguments: Work.allCases,
    [
      (SampleLayout.mosaic(.grbg), 1, 1), (.mosaic(.rggb), 2, 3), (.mosaic(.bggr), 5, 600),
      (.mosaic(.gbrg), 601, 4), (.linear(planes: 3), 1, 1), (.linear(planes: 3), 3, 400),
      (.linear(planes: 1), 300, 2), (.mosaic(.rggb), 131, 97),
    ]
  )
  func tilesAndLanesDoNotMatter(work: Work, shape: (SampleLayout, Int, Int)) throws {
    var description = TestFrame.description(
      shape.1,
      shape.2,
      layout: shape.0,
      color: TestFrame.nikon,
      white: 60000,
      black: 512,
      orientation: .left
    )
    Self.change(work, &description)
    let frame = try TestFrame.noise(description, seed: 31)
    let adjustments = Self.adjustments(work)
    let whole = try Development(frame, adjustments, tileSize: PixelSize(width: 4000, height: 4000))
    for (lanes, width, height) in [(1, 9, 50), (2, 64, 64), (7, 500, 13)] {
      let tiled = try Development(
        frame,
        adjustments,
        lanes: lanes,
        tileSize: PixelSize(width: width, height: height)
      )
      #expect(tiled == whole, "\(lanes) lanes, tiles of \(width)x\(height)")
    }
  }

  /// What stages read beyond the edge is the mirrored picture: a raw that has it there gives the same.
  @Test(arguments: [(1, 1), (2, 3), (5, 40), (33, 18)])
  func edgesAreMirrored(width: Int, height: Int) throws {
    // A multiple of the cells that means are taken over, and more than all halos.
    let border = 160
    let picture = LinearPicture.texture(width, height)
    let large = LinearPicture(width + 2 * border, height + 2 * border) { x, y in
      let column = TwinFormula.mirrored(x - border, width)
      let row = TwinFormula.mirrored(y - border, height)
      return Vector3(picture[column, row, 0], picture[column, row, 1], picture[column, row, 2])
    }
    var adjustments = Self.adjustments(.neighbours)
    // It looks at the whole picture.
    adjustments.localContrastCompress = 0
    let tile = PixelSize(width: 16, height: 9)
    let alone = try Development(try picture.frame(), adjustments, tileSize: tile)
    let within = try Development(
      try large.frame {
        $0.defaultCrop = DefaultCrop(
          originX: Double(border),
          originY: Double(border),
          width: Double(width),
          height: Double(height)
        )
      },
      adjustments,
      tileSize: tile
    )
    #expect(alone == within)
  }
}
