internal import Raster
internal import RawModel

extension Opcode.Operation {
  /// Reads the parameters of one opcode; unknown numbers are no error.
  ///
  /// - Throws: What is wrong with them; counts are checked against the bytes before memory is taken.
  init(id: Int, _ parameters: inout OpcodeParameters) throws(OpcodeFault) {
    switch id {
    case 1: self = .warpRectilinear(try WarpRectilinear(&parameters))
    case 2: self = .warpFisheye(try WarpFisheye(&parameters))
    case 3:
      try parameters.requireByteCount(56)
      self = .fixVignetteRadial(
        FixVignetteRadial(
          coefficients: try parameters.doubles("the coefficients", count: 5),
          center: try parameters.center()
        )
      )
    case 4:
      try parameters.requireByteCount(8)
      self = .fixBadPixelsConstant(
        FixBadPixelsConstant(
          constant: try parameters.uint32(),
          bayerPhase: try parameters.bayerPhase()
        )
      )
    case 5: self = .fixBadPixelsList(try FixBadPixelsList(&parameters))
    case 6:
      try parameters.requireByteCount(16)
      self = .trimBounds(try parameters.region())
    case 7: self = .mapTable(try MapTable(&parameters))
    case 8: self = .mapPolynomial(try MapPolynomial(&parameters))
    case 9: self = .gainMap(try GainMap(&parameters))
    case 10: self = .deltaPerRow(try LineValues(&parameters, isPerRow: true))
    case 11: self = .deltaPerColumn(try LineValues(&parameters, isPerRow: false))
    case 12: self = .scalePerRow(try LineValues(&parameters, isPerRow: true))
    case 13: self = .scalePerColumn(try LineValues(&parameters, isPerRow: false))
    case 14: self = .warpRectilinear2(try WarpRectilinear2(&parameters))
    default: self = .unknown(id: id)
    }
  }
}

extension OpcodeParameters {
  /// Which photosite of the Bayer cell stands in the image's corner.
  fileprivate mutating func bayerPhase() throws(OpcodeFault) -> Int {
    try integer("Bayer phase", in: 0...3)
  }
}

extension WarpRectilinear {
  fileprivate init(_ parameters: inout OpcodeParameters) throws(OpcodeFault) {
    let count = try parameters.setCount()
    try parameters.requireByteCount(4 + count * 48 + 16)
    var sets: [Coefficients] = []
    for _ in 0..<count {
      sets.append(
        Coefficients(
          radial: try parameters.doubles("the radial coefficients", count: 4),
          tangential: try parameters.doubles("the tangential coefficients", count: 2)
        )
      )
    }
    self.init(sets: sets, center: try parameters.center())
  }
}

extension WarpRectilinear2 {
  fileprivate init(_ parameters: inout OpcodeParameters) throws(OpcodeFault) {
    let count = try parameters.setCount()
    try parameters.requireByteCount(4 + count * 152 + 20)
    var sets: [Coefficients] = []
    for _ in 0..<count {
      let radial = try parameters.doubles("the radial coefficients", count: 15)
      let tangential = try parameters.doubles("the tangential coefficients", count: 2)
      let radii = try parameters.doubles("the valid radii", count: 2)
      guard radii[0] >= 0 else {
        throw .invalid("least valid radius", value: radii[0], expected: "0 or more")
      }
      guard radii[0] < radii[1] else {
        throw .invalid("largest valid radius", value: radii[1], expected: "above \(radii[0])")
      }
      sets.append(
        Coefficients(
          radial: radial,
          tangential: tangential,
          validRadius: radii[0]...radii[1]
        )
      )
    }
    let center = try parameters.center()
    self.init(
      sets: sets,
      center: center,
      isReciprocal: try parameters.uint32() != 0
    )
  }
}

extension WarpFisheye {
  fileprivate init(_ parameters: inout OpcodeParameters) throws(OpcodeFault) {
    let count = try parameters.setCount()
    try parameters.requireByteCount(4 + count * 32 + 16)
    var sets: [[Double]] = []
    for _ in 0..<count {
      sets.append(try parameters.doubles("the radial coefficients", count: 4))
    }
    self.init(sets: sets, center: try parameters.center())
  }
}

extension FixBadPixelsList {
  fileprivate init(_ parameters: inout OpcodeParameters) throws(OpcodeFault) {
    let phase = try parameters.bayerPhase()
    let pointCount = Int(try parameters.uint32())
    let rectangleCount = Int(try parameters.uint32())
    // Both are below 2^32: the sum of their sizes fits.
    try parameters.requireByteCount(12 + pointCount * 8 + rectangleCount * 16)
    var points: [Point] = []
    points.reserveCapacity(pointCount)
    for _ in 0..<pointCount {
      points.append(Point(row: try parameters.uint32(), column: try parameters.uint32()))
    }
    var rectangles: [Region] = []
    for _ in 0..<rectangleCount { rectangles.append(try parameters.region()) }
    self.init(bayerPhase: phase, points: points, rectangles: rectangles)
  }
}

extension MapTable {
  fileprivate init(_ parameters: inout OpcodeParameters) throws(OpcodeFault) {
    let area = try parameters.area()
    let count = try parameters.integer("number of entries", in: 1...65_536)
    try parameters.requireByteCount(36 + count * 2)
    var table: [UInt16] = []
    table.reserveCapacity(count)
    for _ in 0..<count { table.append(try parameters.uint16()) }
    self.init(area: area, table: table)
  }
}

extension MapPolynomial {
  fileprivate init(_ parameters: inout OpcodeParameters) throws(OpcodeFault) {
    let area = try parameters.area()
    let degree = try parameters.integer("degree", in: 0...8)
    try parameters.requireByteCount(36 + (degree + 1) * 8)
    self.init(
      area: area,
      coefficients: try parameters.doubles("the coefficients", count: degree + 1)
    )
  }
}

extension LineValues {
  fileprivate init(
    _ parameters: inout OpcodeParameters,
    isPerRow: Bool
  ) throws(OpcodeFault) {
    let area = try parameters.area()
    let count = Int(try parameters.uint32())
    try parameters.requireByteCount(36 + count * 4)
    let lines = isPerRow ? area.rowCount : area.columnCount
    guard count == lines, count > 0 else { throw .valueCount(found: count, lines: lines) }
    self.init(area: area, values: try parameters.floats("the values", count: count))
  }
}

extension GainMap {
  fileprivate init(_ parameters: inout OpcodeParameters) throws(OpcodeFault) {
    let area = try parameters.area()
    let any = 1...Int(UInt32.max)
    let pointsV = try parameters.integer("number of points down", in: any)
    let pointsH = try parameters.integer("number of points across", in: any)
    let spacingV = try parameters.spacing(points: pointsV)
    let spacingH = try parameters.spacing(points: pointsH)
    let originV = try parameters.double("the origin")
    let originH = try parameters.double("the origin")
    let mapPlanes = try parameters.integer("number of planes of the map", in: any)
    let count = pointsV.multipliedOrMax(pointsH).multipliedOrMax(mapPlanes)
    let byteCount = count.multipliedOrMax(4)
    try parameters.requireByteCount(byteCount > Int.max - 76 ? .max : 76 + byteCount)
    let gains = try parameters.floats("the gains", count: count)
    if let gain = gains.first(where: { $0 < 0 }) {
      throw .invalid("gain", value: Double(gain), expected: "0 or more")
    }
    self.init(
      area: area,
      pointsV: pointsV,
      pointsH: pointsH,
      spacingV: spacingV,
      spacingH: spacingH,
      originV: originV,
      originH: originH,
      mapPlanes: mapPlanes,
      gains: gains
    )
  }
}

extension OpcodeParameters {
  /// The distance of grid points; without meaning where there is only one.
  fileprivate mutating func spacing(points: Int) throws(OpcodeFault) -> Double {
    let spacing = try double("the spacing")
    guard spacing > 0 || points == 1 else {
      throw .invalid("spacing", value: spacing, expected: "above 0")
    }
    return spacing
  }
}
