package import Raster

/// Three planes of one picture, in linear light.
package struct RGBPlanes: ~Copyable {
  package var red: Plane<Float>
  package var green: Plane<Float>
  package var blue: Plane<Float>

  /// Planes of this size, all zero.
  package init(size: PixelSize) throws(RasterError) {
    let red = try Plane<Float>(width: size.width, height: size.height)
    let green = try Plane<Float>(width: size.width, height: size.height)
    let blue = try Plane<Float>(width: size.width, height: size.height)
    self.red = red
    self.green = green
    self.blue = blue
  }
}
