internal import ColorScience
internal import Recipe

/// A look: a `.cube` table over the finished colours, the last stage before the output's encoding.
///
/// Colours are Display P3, held within 0 and 1, with the sRGB curve, as input and as output of the table;
/// what the table gives beyond 0 and 1 is cut off. A cube is interpolated as `ColorCube` says, curves are
/// interpolated linearly. What lies beyond the table's domain takes the
/// value at its end. Version 1.
struct CubeLookStage: PixelStage, Equatable {
  static let name = "lut"

  private let table: CubeTable
  /// The table as a cube, where it is one.
  private let cube: ColorCube?
  /// `(size - 1) / (maximum - minimum)`.
  private let scale: SIMD3<Float>
  private static let encode = CurveTable { TransferFunction.sRGB.encode($0) }
  private static let decode = CurveTable { TransferFunction.sRGB.decode($0) }

  init?(_ context: StageContext) throws(DevelopError) {
    guard let table = context.settings.look else { return nil }
    self.init(table)
  }

  init(_ table: CubeTable) {
    self.table = table
    cube = table.kind == .cube ? ColorCube(size: table.size, colors: table.colors) : nil
    let steps = SIMD3(repeating: Float(table.size - 1))
    scale = steps / (table.domainMaximum - table.domainMinimum)
  }

  func apply(_ row: PixelRow) {
    let red = row.rows[0]
    let green = row.rows[1]
    let blue = row.rows[2]
    let encode = Self.encode
    let decode = Self.decode
    for i in row.range {
      let encoded = SIMD3(encode.value(red[i]), encode.value(green[i]), encode.value(blue[i]))
      let place = (encoded - table.domainMinimum) * scale
      let end = Float(table.size - 1)
      // A domain may begin above or end below what colours have; the scale is finite and positive.
      let held = place.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: end))
      let color = cube?.color(held) ?? curves(held)
      red[i] = decode.value(color.x)
      green[i] = decode.value(color.y)
      blue[i] = decode.value(color.z)
    }
  }

  /// At a place in steps of the table.
  private func curves(_ place: SIMD3<Float>) -> SIMD3<Float> {
    var result = SIMD3<Float>()
    for channel in 0..<3 {
      let index = min(Int(place[channel]), table.size - 2)
      let fraction = place[channel] - Float(index)
      let low = table.colors[index][channel]
      result[channel] = low + (table.colors[index + 1][channel] - low) * fraction
    }
    return result
  }
}
