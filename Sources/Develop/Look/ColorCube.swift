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
    let x = fraction.x
    let y = fraction.y
    let z = fraction.z
    let (red, green, blue) = (1, size, size * size)
    // The longest and the shortest part; where two are equal either order gives the same colour, as long
    // as it is one order.
    let longest = x >= y ? (x >= z ? red : blue) : (y >= z ? green : blue)
    let shortest = z <= y && z <= x ? blue : (y <= x ? green : red)
    let most = max(x, max(y, z))
    let least = min(x, min(y, z))
    let middle = max(min(x, y), min(max(x, y), z))
    let last = colors[corner + red + green + blue]
    let second = colors[corner + longest]
    let third = colors[corner + red + green + blue - shortest]
    let start = first + (second - first) * most
    return start + (third - second) * middle + (last - third) * least
  }
}
