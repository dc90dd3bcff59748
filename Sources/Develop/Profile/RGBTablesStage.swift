internal import ColorScience
internal import RawModel

/// The tables of RGBTables that are for the whole picture, in linear RIMM after the tone curve.
///
/// For each: to the table's primaries; held within 0 and 1, where a table that extends its gamut remembers what
/// was cut off; the table's curve; the cube, as `ColorCube` says; held within 0 and 1; back through the curve;
/// what was cut off is added again; back to RIMM. One after another where they are sequential. A table for
/// a semantic mask is left out and reported. DNG 1.7.1 chapter 6, "RGBTables". Version 1.
struct RGBTablesStage: PixelStage {
  static let name = "rgbTables"

  private let tables: [Table]

  fileprivate struct Table {
    let toTable: Matrix3
    let fromTable: Matrix3
    let encode: CurveTable
    let decode: CurveTable
    let cube: ColorCube
    let isExtended: Bool
  }

  init?(_ context: StageContext) throws(DevelopError) {
    guard context.settings.appliesProfile, context.camera != nil,
      let all = context.description.profile.rgbTables
    else { return nil }
    var tables: [Table] = []
    for table in all.tables where table.isForWholePicture { tables.append(try Table(table)) }
    guard !tables.isEmpty else { return nil }
    // The weights of a sum add up to one: of the tables without a mask that is the first.
    self.tables = all.composition == .sequential ? tables : [tables[0]]
  }

  func apply(_ row: PixelRow) {
    let red = row.rows[0]
    let green = row.rows[1]
    let blue = row.rows[2]
    for i in row.range {
      var color = SIMD3(red[i], green[i], blue[i])
      for table in tables { color = table.mapped(color) }
      red[i] = color.x
      green[i] = color.y
      blue[i] = color.z
    }
  }
}

extension RGBTable {
  /// Whether it needs no semantic mask.
  var isForWholePicture: Bool { semanticName.isEmpty }
}

extension RGBTablesStage.Table {
  fileprivate init(_ table: RGBTable) throws(DevelopError) {
    func unusable(_ reason: String) -> DevelopError {
      .profileUnusable(tag: "RGBTables", reason: reason)
    }
    let size = table.divisions
    guard (2...32).contains(size) else { throw unusable("has a table of \(size) divisions") }
    guard table.samples.count == 3 * size * size * size else {
      throw unusable("has \(table.samples.count) samples for \(size) divisions")
    }
    guard table.samples.allSatisfy(\.isFinite) else {
      throw unusable("has a sample that is not finite")
    }
    var colors: [SIMD3<Float>] = []
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size {
          let index = 3 * ((red * size + green) * size + blue)
          let samples = table.samples
          colors.append(SIMD3(samples[index], samples[index + 1], samples[index + 2]))
        }
      }
    }
    cube = ColorCube(size: size, colors: colors)
    isExtended = table.gamutExtension == .extend
    let space = table.primaries.space
    toTable = RGBSpace.romm.matrix(to: space)
    fromTable = space.matrix(to: .romm)
    let function = table.gamma.function
    encode = CurveTable { function.encode($0) }
    decode = CurveTable { function.decode($0) }
  }

  fileprivate func mapped(_ color: SIMD3<Float>) -> SIMD3<Float> {
    let there = Self.product(toTable, color)
    let held = there.clamped(lowerBound: .zero, upperBound: .one)
    let encoded = SIMD3(encode.value(held.x), encode.value(held.y), encode.value(held.z))
    let place = encoded * Float(cube.size - 1)
    let found = cube.color(place).clamped(lowerBound: .zero, upperBound: .one)
    var result = SIMD3(decode.value(found.x), decode.value(found.y), decode.value(found.z))
    if isExtended { result += there - held }
    return Self.product(fromTable, result)
  }

  private static func product(_ matrix: Matrix3, _ color: SIMD3<Float>) -> SIMD3<Float> {
    let product = matrix * Vector3(Double(color.x), Double(color.y), Double(color.z))
    return SIMD3(Float(product.x), Float(product.y), Float(product.z))
  }
}

extension RGBTable.Primaries {
  fileprivate var space: RGBSpace {
    switch self {
    case .sRGB: .sRGB
    case .adobeRGB: .adobeRGB
    case .displayP3: .displayP3
    case .rec2020: .rec2020
    case .proPhoto: .romm
    }
  }
}

extension RGBTable.Gamma {
  fileprivate var function: TransferFunction {
    switch self {
    case .linear: .linear
    case .sRGB: .sRGB
    case .gamma18: TransferFunction(power: 1.8)
    case .gamma22: TransferFunction(power: 2.2)
    case .rec2020: .rec2020
    }
  }
}
