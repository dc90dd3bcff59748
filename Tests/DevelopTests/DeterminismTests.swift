import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import Testing

@Suite struct DeterminismTests {
  /// Every stage at work: black pattern, table, gain maps, crop, turn, curve, gamut map, both depths.
  private static func description(_ layout: SampleLayout) -> RawDescription {
    var description = TestFrame.description(
      131,
      93,
      layout: layout,
      color: TestFrame.nikon,
      white: 60000,
      black: 512,
      orientation: .right
    )
    description.activeArea = Region(left: 3, top: 2, width: 125, height: 90)
    description.defaultCrop = DefaultCrop(originX: 4, originY: 3, width: 117, height: 83)
    description.linearizationTable = (0..<65000).map { UInt16($0) }
    let map = GainMap(
      area: OpcodeArea(
        top: 0,
        left: 1,
        bottom: 90,
        right: 125,
        planes: 3,
        rowPitch: 2,
        columnPitch: 2
      ),
      pointsV: 2,
      pointsH: 3,
      spacingV: 1,
      spacingH: 0.5,
      originV: 0,
      originH: 0,
      mapPlanes: 1,
      gains: [1, 1.2, 1.1, 1.3, 1, 1.05]
    )
    description.opcodeList2 = [
      Opcode(operation: .gainMap(map), isOptional: false, isSkippedForPreview: false)
    ]
    return description
  }

  @Test(
    arguments: [SampleLayout.mosaic(.grbg), .linear(planes: 3), .linear(planes: 1)],
    [(1, 1), (2, 3), (7, 5), (64, 16), (33, 1000), (1000, 1000)]
  )
  func tilesAndLanesDoNotMatter(layout: SampleLayout, tile: (Int, Int)) throws {
    let frame = try TestFrame.noise(Self.description(layout), seed: 99)
    let whole = try Development(frame, DevelopAdjustments())
    for lanes in [1, 3] {
      let tiled = try Development(
        frame,
        DevelopAdjustments(),
        lanes: lanes,
        tileSize: PixelSize(width: tile.0, height: tile.1)
      )
      #expect(tiled == whole)
    }
  }

  /// The same with a profile that has everything, and a look.
  @Test(arguments: [(1, 3), (64, 16), (33, 1000)])
  func tilesAndLanesDoNotMatterToProfiles(width: Int, height: Int) throws {
    var description = Self.description(.mosaic(.grbg))
    description.profile = TestProfile.everything(seed: 5)
    let frame = try TestFrame.noise(description, seed: 96)
    var adjustments = DevelopAdjustments()
    adjustments.localToneMapAmount = 0.6
    adjustments.lut = RecipeFile(
      name: "a.cube",
      contents: Array("LUT_3D_SIZE 2\n\((0..<8).map { "\($0 % 2) 0.\($0) 0.5\n" }.joined())".utf8)
    )
    let whole = try Development(frame, adjustments)
    for lanes in [1, 3] {
      let tile = PixelSize(width: width, height: height)
      #expect(try Development(frame, adjustments, lanes: lanes, tileSize: tile) == whole)
    }
  }

  /// With a warp, light on both sides of it, and sizes that need resizing.
  @Test(
    arguments: [SampleLayout.mosaic(.gbrg), .linear(planes: 3)],
    [(1.0, false), (0.8, false), (0.45, false), (0.2, false), (1.0, true)]
  )
  func passesDoNotMatter(layout: SampleLayout, size: (Double, Bool)) throws {
    var description = Self.description(layout)
    let center = OpticalCenter(x: 0.4, y: 0.6)
    let vignette = FixVignetteRadial(coefficients: [0.3, 0, -0.1, 0, 0], center: center)
    let warp = WarpRectilinear(
      sets: [.init(radial: [0.9, 0.1, 0, 0], tangential: [0.01, 0])],
      center: center
    )
    description.opcodeList3 = [
      .fixVignetteRadial(vignette), .warpRectilinear(warp), .fixVignetteRadial(vignette),
    ].map { Opcode(operation: $0, isOptional: false, isSkippedForPreview: false) }
    let frame = try TestFrame.noise(description, seed: 96)
    var adjustments = DevelopAdjustments()
    adjustments.scaleFactor = size.0
    adjustments.isDraftModeEnabled = size.1
    let whole = try Development(frame, adjustments)
    for (lanes, width, height) in [(1, 7, 5), (2, 64, 64), (7, 33, 1000)] {
      let tiled = try Development(
        frame,
        adjustments,
        lanes: lanes,
        tileSize: PixelSize(width: width, height: height)
      )
      #expect(tiled == whole)
    }
  }

  @Test func oneDepthAloneHasTheSameBytes() throws {
    let frame = try TestFrame.noise(Self.description(.mosaic(.rggb)), seed: 98)
    let both = try Development(frame, DevelopAdjustments())
    #expect(try Development(frame, DevelopAdjustments(), depths: [.eight]).eight == both.eight)
    #expect(
      try Development(frame, DevelopAdjustments(), depths: [.sixteen]).sixteen == both.sixteen
    )
  }

  /// FNV-1a over the bytes of a development; another value means that pixels changed, and that the
  /// pixel version must go up.
  @Test(arguments: [
    (SampleLayout.mosaic(.rggb), UInt64(0x0955_3580_EDFD_AF8E)),
    (.linear(planes: 3), 0x08AA_EC51_6F79_C76D),
  ])
  func goldenDigests(layout: SampleLayout, digest: UInt64) throws {
    let result = try Development(
      try TestFrame.noise(Self.description(layout), seed: 97),
      DevelopAdjustments()
    )
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for byte in result.eight { add(byte) }
    for code in result.sixteen {
      add(UInt8(code & 255))
      add(UInt8(code >> 8))
    }
    #expect(hash == digest, "the digest is 0x\(String(hash, radix: 16))")
  }
}
