import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import Testing

/// Linear pictures by DNG's arithmetic, worked out by hand.
@Suite struct LinearDevelopmentTests {
  private static let scene = LinearLevel.scene(.rgb(.displayP3))
  private static let normalized = LinearLevel.samples(isBalanced: false, .cfa)

  /// Black 600 and white 16,984, so that a code is 600 + 16,384 x.
  private static func description(
    _ width: Int = 24,
    _ height: Int = 20,
    color: CameraColor = TestFrame.displayP3Camera,
    layout: SampleLayout = .mosaic(.rggb),
    orientation: Orientation = .up
  ) -> RawDescription {
    TestFrame.description(
      width,
      height,
      layout: layout,
      color: color,
      white: 16_984,
      black: 600,
      orientation: orientation
    )
  }

  /// A mosaic of one colour.
  private static func patch(
    _ codes: (Int, Int, Int),
    color: CameraColor = TestFrame.displayP3Camera
  ) throws -> RawFrame {
    try TestFrame.frame(description(color: color)) { x, y in
      UInt16([codes.0, codes.1, codes.1, codes.2][2 * (y & 1) + (x & 1)])
    }
  }

  private func expect(_ values: [Float], _ expected: [Double], within tolerance: Double = 2e-6) {
    #expect(values.count == expected.count)
    for (value, expected) in zip(values, expected) {
      #expect(abs(Double(value) - expected) <= tolerance, "\(values) is not \(expected)")
    }
  }

  // MARK: Patches

  /// (4696 - 600) / 16384 is a quarter, of a camera whose colours are Display P3's under D65.
  @Test func aGreyPatchIsGreyInEverySpace() throws {
    let frame = try Self.patch((4696, 4696, 4696))
    expect(try LinearValues(frame, Self.normalized).pixel(3, 5), [0.25], within: 0)
    for space in [RGBSpace.displayP3, .rec2020, .romm, .acesAP0] {
      expect(try LinearValues(frame, .scene(.rgb(space))).pixel(7, 7), [0.25, 0.25, 0.25])
    }
    // D50 is (.3457 / .3585, 1, .2958 / .3585).
    expect(
      try LinearValues(frame, .scene(.xyzD50)).pixel(7, 7),
      [0.25 * 0.3457 / 0.3585, 0.25, 0.25 * 0.2958 / 0.3585]
    )
  }

  /// A colour of the camera's space: 3/4, 1/4, 1/16 of Display P3 in BT.2020.
  @Test func aColourGoesThroughTheMatrices() throws {
    let frame = try Self.patch((12_888, 4696, 1624))
    expect(try LinearValues(frame, Self.scene).pixel(9, 4), [0.75, 0.25, 0.0625])
    // BT.2087's matrix from Display P3 to BT.2020 by the primaries of both.
    let p3to2020 = [
      [0.753833, 0.198597, 0.047570], [0.045744, 0.941777, 0.012479],
      [-0.001210, 0.017602, 0.983609],
    ]
    let expected = p3to2020.map { 0.75 * $0[0] + 0.25 * $0[1] + 0.0625 * $0[2] }
    expect(
      try LinearValues(frame, .scene(.rgb(.rec2020))).pixel(9, 4),
      expected,
      within: 2e-6
    )
  }

  /// The neutral of the Nikon is (.51303, 1, .74419): its red saturates at 1/.51303 of a balanced scene.
  @Test func aClippedPatchKeepsEachChannelsSaturation() throws {
    let frame = try Self.patch((16_984, 17_084, 16_984), color: TestFrame.nikon)
    // Codes above white are white.
    expect(try LinearValues(frame, Self.normalized).pixel(1, 0), [1], within: 0)
    let balanced = try LinearValues(frame, .samples(isBalanced: true, .demosaiced)).pixel(5, 5)
    expect(balanced, [1 / 0.51303, 1, 1 / 0.74419], within: 1e-5)
    let back = try LinearValues(frame, .samples(isBalanced: false, .demosaiced)).pixel(5, 5)
    expect(back, [1, 1, 1], within: 1e-6)
    // Nothing is brought to the neutral: the scene is magenta and brighter than 1.
    let scene = try LinearValues(frame, Self.scene).pixel(5, 5)
    #expect(scene[0] > 1.5 && scene[1] < 1 && scene[2] > 1.2)
    // A neutral that fills green alone is (1, 1, 1).
    let white = try Self.patch((600 + 8405, 16_984, 600 + 12_193), color: TestFrame.nikon)
    expect(try LinearValues(white, Self.scene).pixel(5, 5), [1, 1, 1], within: 5e-4)
  }

  /// 512 codes under black are -1/32, and stay so in every level and space.
  @Test func negativeValuesStay() throws {
    let frame = try Self.patch((88, 88, 88))
    expect(try LinearValues(frame, Self.normalized).pixel(2, 2), [-0.03125], within: 0)
    let levels: [LinearLevel] = [
      .samples(isBalanced: true, .demosaiced), .scene(.rgb(.displayP3)), .scene(.rgb(.acesAP0)),
    ]
    for level in levels {
      expect(try LinearValues(frame, level).pixel(6, 6), [-0.03125, -0.03125, -0.03125])
    }
    // Outside a space without being dark: the camera's pure green in the narrower sRGB.
    let green = try Self.patch((600, 8792, 600))
    let narrow = try LinearValues(green, .scene(.rgb(.sRGB))).pixel(6, 6)
    #expect(narrow[0] < 0 && narrow[2] < 0)
  }

  /// `exposure` multiplies a scene; the file's baseline exposure does not.
  @Test func exposureIsOfTheSceneAlone() throws {
    var frame = try Self.patch((4696, 4696, 4696))
    frame.description.baselineExposure = 2
    var adjustments = DevelopAdjustments.measuring
    adjustments.baselineExposure = nil
    adjustments.exposure = 1
    let scene = try LinearValues(frame, Self.scene, adjustments: adjustments)
    expect(scene.pixel(5, 5), [0.5, 0.5, 0.5])
    let level = LinearLevel.samples(isBalanced: true, .demosaiced)
    let balanced = try LinearValues(frame, level, adjustments: adjustments)
    expect(balanced.pixel(5, 5), [0.25, 0.25, 0.25])
  }

  // MARK: Codes and layouts

  @Test func codesAreTheFiles() throws {
    var description = Self.description(10, 8)
    description.linearizationTable = [0, 10, 40, 90]
    description.activeArea = Region(left: 1, top: 2, width: 8, height: 6)
    description.defaultCrop = DefaultCrop(originX: 1, originY: 1, width: 6, height: 4)
    // 8 y + x modulo 5: codes past the table's end take its last entry.
    let frame = try TestFrame.frame(description) { x, y in UInt16((8 * y + x) % 5) }
    let stored = try LinearValues(frame, .codes(isLinearized: false, .cfa))
    #expect(stored.size == PixelSize(width: 6, height: 4) && stored.channels == ["Y"])
    let linear = try LinearValues(frame, .codes(isLinearized: true, .cfa))
    let planes = try LinearValues(frame, .codes(isLinearized: false, .planes))
    #expect(planes.size == PixelSize(width: 3, height: 2))
    // The crop begins at an odd place of the pattern: its first photosite is the cell's last.
    #expect(planes.channels == ["B", "G2", "G1", "R"])
    for y in 0..<4 {
      for x in 0..<6 {
        let code = (8 * (y + 3) + x + 2) % 5
        #expect(stored.pixel(x, y) == [Float(code)])
        #expect(linear.pixel(x, y) == [[0, 10, 40, 90, 90][code]])
        #expect(planes.pixel(x / 2, y / 2)[2 * (y % 2) + x % 2] == Float(code))
      }
    }
  }

  @Test(arguments: CFAPattern.allCases)
  func planesAreNamedByTheirFilters(pattern: CFAPattern) throws {
    let description = Self.description(layout: .mosaic(pattern))
    // Red a quarter, green in red's rows a half, green in blue's rows 9/16, blue 3/4.
    let frame = try TestFrame.frame(description) { x, y in
      let place = 2 * (y & 1) + (x & 1)
      switch pattern.colors[place] {
      case 0: return 4696
      case 2: return 12_888
      default: return pattern.colors[place ^ 1] == 0 ? 8792 : 9816
      }
    }
    let planes = try LinearValues(frame, .samples(isBalanced: false, .planes))
    let expected: [String: Float] = ["R": 0.25, "G1": 0.5, "G2": 0.5625, "B": 0.75]
    #expect(Set(planes.channels) == Set(expected.keys))
    for (name, value) in zip(planes.channels, planes.pixel(3, 3)) {
      #expect(abs(value - (expected[name] ?? 9)) < 1e-6)
    }
  }

  /// A frame of one odd row or column has no whole cell.
  @Test func cellsMustBeWhole() throws {
    let frame = try TestFrame.frame(Self.description(5, 1)) { _, _ in 1000 }
    #expect(throws: DevelopError.self) {
      try LinearValues(frame, .codes(isLinearized: false, .planes))
    }
    let odd = try TestFrame.frame(Self.description(5, 7)) { _, _ in 1000 }
    let whole = try LinearValues(odd, .codes(isLinearized: false, .planes))
    #expect(whole.size == PixelSize(width: 2, height: 3))
  }

  @Test func demosaicedRawsKeepTheirSamples() throws {
    let color = try TestFrame.frame(Self.description(6, 4, layout: .linear(planes: 3))) { x, _ in
      UInt16(600 + 100 * x)
    }
    let codes = try LinearValues(color, .codes(isLinearized: false, .cfa))
    #expect(codes.channels == ["R", "G", "B"] && codes.pixel(1, 0) == [900, 1000, 1100])
    #expect(throws: DevelopError.mosaicMissing) {
      try LinearValues(color, .samples(isBalanced: false, .planes))
    }
    expect(
      try LinearValues(color, .samples(isBalanced: false, .cfa)).pixel(1, 0),
      [300.0 / 16_384, 400.0 / 16_384, 500.0 / 16_384],
      within: 1e-7
    )
    let grey = try TestFrame.frame(Self.description(6, 4, layout: .linear(planes: 1))) { x, _ in
      UInt16(600 + 4096 * (x & 1))
    }
    let samples = try LinearValues(grey, .samples(isBalanced: false, .demosaiced))
    #expect(samples.channels == ["Y"] && samples.pixel(1, 1) == [0.25])
    expect(try LinearValues(grey, .scene(.rgb(.rec2020))).pixel(1, 1), [0.25, 0.25, 0.25])
  }

  // MARK: Bands, tiles, lanes, orientation

  private static let levels: [LinearLevel] = [
    .codes(isLinearized: false, .planes), .samples(isBalanced: false, .cfa),
    .samples(isBalanced: true, .planes), .samples(isBalanced: false, .demosaiced),
    .scene(.rgb(.rec2020)),
  ]

  @Test(arguments: levels)
  func bandsTilesAndLanesDoNotShow(level: LinearLevel) throws {
    let frame = try TestFrame.noise(
      Self.description(150, 131, color: TestFrame.nikon, orientation: .left),
      seed: 5
    )
    let whole = try LinearValues(frame, level, adjustments: .linear, rowCount: 10_000)
    for (rows, lanes, side) in [(256, 3, 512), (7, 1, 33), (16, 2, 64), (1, 2, 512)] {
      let other = try LinearValues(
        frame,
        level,
        adjustments: .linear,
        rowCount: rows,
        lanes: lanes,
        tileSize: PixelSize(width: side, height: side)
      )
      #expect(other == whole, "\(rows) rows, \(lanes) lanes, tiles of \(side)")
    }
  }

  /// A turned picture is the picture, turned; mosaics and codes are as the sensor lies.
  @Test(arguments: Orientation.allCases)
  func orientationTurnsPictures(orientation: Orientation) throws {
    func picture(_ orientation: Orientation, _ level: LinearLevel) throws -> LinearValues {
      let frame = try TestFrame.noise(Self.description(36, 22, orientation: orientation), seed: 3)
      return try LinearValues(frame, level, rowCount: 5)
    }
    let upright = try picture(.up, Self.scene)
    let turned = try picture(orientation, Self.scene)
    #expect(turned.size == orientation.turned(upright.size))
    let (width, height) = (upright.size.width, upright.size.height)
    var wrong = 0
    for y in 0..<height {
      for x in 0..<width {
        let place = orientation.place(x, y, in: upright.size)
        if turned.pixel(place.x, place.y) != upright.pixel(x, y) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    let mosaic = LinearLevel.samples(isBalanced: false, .cfa)
    #expect(try picture(orientation, mosaic) == picture(.up, mosaic))
  }

  /// What takes the bands may stop the work.
  @Test func aConsumersErrorComesBack() throws {
    struct Full: Error, Equatable {}
    let frame = try Self.patch((4696, 4696, 4696))
    let development = try LinearDevelopment(
      frame.description,
      settings: DevelopSettings(resolving: .measuring, for: frame.description),
      level: Self.scene
    )
    var count = 0
    do {
      try development.forEachBand(
        of: frame,
        rowCount: 4,
        scheduler: TileScheduler(laneCount: 1)
      ) { (_: borrowing Plane<Float>, _: Range<Int>) throws(Full) in
        count += 1
        if count == 2 { throw Full() }
      }
      Issue.record("the error was lost")
    } catch {
      guard case .body = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(count == 2)
  }
}
