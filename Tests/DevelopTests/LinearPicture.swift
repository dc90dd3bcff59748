import ColorScience
import Develop
import Raster
import RawModel
import Recipe

/// A picture in linear light that tests make raws of and get back from developments.
struct LinearPicture {
  var width: Int
  var height: Int
  /// Rows of red, green, blue.
  var values: [Double]

  init(_ width: Int, _ height: Int, _ color: (Int, Int) -> Vector3) {
    self.width = width
    self.height = height
    values = []
    for y in 0..<height {
      for x in 0..<width {
        let value = color(x, y)
        values += [value.x, value.y, value.z]
      }
    }
  }

  /// What a development shows.
  init(_ development: Development) {
    width = development.width
    height = development.height
    values = development.sixteen.map { TransferFunction.sRGB.decode(Double($0) / 65535) }
  }

  subscript(_ x: Int, _ y: Int, _ color: Int) -> Double { values[3 * (y * width + x) + color] }

  /// The nearest pixel within the picture.
  func clamped(_ x: Int, _ y: Int, _ color: Int) -> Double {
    self[min(max(x, 0), width - 1), min(max(y, 0), height - 1), color]
  }

  /// A LinearRaw of a camera whose values are linear Display P3.
  func frame(_ change: (inout RawDescription) -> Void = { _ in }) throws -> RawFrame {
    var description = TestFrame.description(width, height, layout: .linear(planes: 3))
    change(&description)
    return try TestFrame.frame(description) { x, y in
      UInt16((values[3 * y * width + x] * 65535).rounded())
    }
  }

  /// The largest difference, edges left out.
  func difference(from other: LinearPicture, border: Int = 0) -> Double {
    guard width == other.width, height == other.height else { return .infinity }
    var largest = 0.0
    for y in border..<(height - border) {
      for x in border..<(width - border) {
        for color in 0..<3 {
          largest = max(largest, abs(self[x, y, color] - other[x, y, color]))
        }
      }
    }
    return largest
  }

  /// Soft texture in three colours.
  static func texture(_ width: Int, _ height: Int) -> LinearPicture {
    LinearPicture(width, height) { x, y in
      let u = Double(x)
      let v = Double(y)
      return Vector3(
        0.4 + 0.3 * PortableMath.sin(u / 5) * PortableMath.cos(v / 7),
        0.4 + 0.3 * PortableMath.sin(u / 6 + v / 9),
        0.4 + 0.3 * PortableMath.cos(u / 8) * PortableMath.sin(v / 5)
      )
    }
  }
}
