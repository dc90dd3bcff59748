/// A cube of colours over three channels, interpolated in the tetrahedron around a colour.
///
/// J. Kasson, S. Nin, W. Plouffe, J. Hafner, "Performing color space conversions with three-dimensional
/// linear interpolation", J. Electron. Imaging 4 (1995) 226. Neutral colours stay neutral where the cube's
/// diagonal is.
struct ColorCube: Equatable, Sendable {
  /// Samples along each side, at least 2.
  let size: Int
  /// `size` cubed colours, red changing fastest.
  let colors: [SIMD3<Float>]

  /// The colour at a place in steps of the cube, each 0 to `size - 1`.
  ///
  /// The way goes from the corner of the cell along its edges, the longest part first.
  func color(_ place: SIMD3<Float>) -> SIMD3<Float> {
    let r = min(Int(place.x), size - 2)
    let g = min(Int(place.y), size - 2)
    let b = min(Int(place.z), size - 2)
    let fraction = place - SIMD3(Float(r), Float(g), Float(b))
    let corner = r + size * (g + size * b)
    let first = colors[corner]
    let last = colors[corner + 1 + size + size * size]
    let x = fraction.x
    let y = fraction.y
    let z = fraction.z
    let (red, green, blue) = (1, size, size * size)
    // The two corners between, and how far the way goes along each of the three edges.
    let way: (Int, Int, Float, Float, Float)
    if x >= y {
      if y >= z {
        way = (red, red + green, x, y, z)
      } else if x >= z {
        way = (red, red + blue, x, z, y)
      } else {
        way = (blue, blue + red, z, x, y)
      }
    } else if x >= z {
      way = (green, green + red, y, x, z)
    } else if y >= z {
      way = (green, green + blue, y, z, x)
    } else {
      way = (blue, blue + green, z, y, x)
    }
    let second = colors[corner + way.0]
    let third = colors[corner + way.1]
    let start = first + (second - first) * way.2
    return start + (third - second) * way.3 + (last - third) * way.4
  }
}
