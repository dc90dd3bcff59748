import Develop
import Raster

/// Three planes as arrays that tests compute with: rows of one colour after another.
struct PlaneArrays: Equatable {
  let width: Int
  let height: Int
  var colors: [[Float]]

  init(width: Int, height: Int, _ value: (Int, Int, Int) -> Float) {
    self.width = width
    self.height = height
    colors = (0..<3).map { color in
      (0..<(width * height)).map { value(color, $0 % width, $0 / width) }
    }
  }

  init(_ planes: borrowing RGBPlanes) {
    width = planes.red.width
    height = planes.red.height
    func array(_ plane: borrowing Plane<Float>) -> [Float] {
      var values: [Float] = []
      for y in 0..<plane.height {
        plane.withRow(y) { row in for x in row.indices { values.append(row[x]) } }
      }
      return values
    }
    colors = [array(planes.red), array(planes.green), array(planes.blue)]
  }

  func planes() throws -> RGBPlanes {
    var planes = try RGBPlanes(size: PixelSize(width: width, height: height))
    func fill(_ plane: inout Plane<Float>, _ values: [Float]) {
      for y in 0..<height {
        plane.withMutableRow(y) { row in
          for x in row.indices { row[x] = values[y * width + x] }
        }
      }
    }
    fill(&planes.red, colors[0])
    fill(&planes.green, colors[1])
    fill(&planes.blue, colors[2])
    return planes
  }

  /// The largest difference of any sample.
  func largestDifference(from other: PlaneArrays) -> Float {
    var largest: Float = 0
    for color in 0..<3 {
      for (a, b) in zip(colors[color], other.colors[color]) { largest = max(largest, abs(a - b)) }
    }
    return largest
  }

  /// The root of the mean square of all differences.
  func distance(from other: PlaneArrays) -> Double {
    var sum = 0.0
    for color in 0..<3 {
      for (a, b) in zip(colors[color], other.colors[color]) { sum += Double((a - b) * (a - b)) }
    }
    return (sum / Double(3 * width * height)).squareRoot()
  }
}

/// A field of doubles over a picture that goes on mirrored beyond its edges, as kernels have it.
struct MirroredField {
  let width: Int
  let height: Int
  private let margin: Int
  private var values: [Double] = []

  /// Computes a value for each pixel of the picture and `margin` around it.
  init(_ width: Int, _ height: Int, margin: Int, _ value: (Int, Int) -> Double) {
    self.width = width
    self.height = height
    self.margin = margin
    for y in -margin..<(height + margin) {
      for x in -margin..<(width + margin) { values.append(value(x, y)) }
    }
  }

  subscript(_ x: Int, _ y: Int) -> Double {
    values[(y + margin) * (width + 2 * margin) + x + margin]
  }

  static func index(_ index: Int, _ count: Int) -> Int {
    var index = index
    while index < 0 || index >= count {
      index = index < 0 ? -index : 2 * (count - 1) - index
    }
    return index
  }

  /// The cubic spline with holes over a smaller margin.
  func smoothed(step: Int, margin: Int) -> MirroredField {
    let weights = [1.0, 4, 6, 4, 1]
    return MirroredField(width, height, margin: margin) { x, y in
      var sum = 0.0
      for j in -2...2 {
        for i in -2...2 {
          sum += weights[i + 2] * weights[j + 2] * self[x + i * step, y + j * step]
        }
      }
      return sum / 256
    }
  }
}

/// Values of cells, each computed once.
final class CellMemo<Value> {
  private var known: [[Int]: Value] = [:]

  func value(_ column: Int, _ row: Int, _ make: (Int, Int) -> Value) -> Value {
    if let value = known[[column, row]] { return value }
    let value = make(column, row)
    known[[column, row]] = value
    return value
  }
}
