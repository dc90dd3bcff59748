package import Raster

/// A developed picture: cropped to the default crop, turned for viewing, Display P3 (D65) with the
/// sRGB curve, full range.
///
/// Planes are interleaved: red, green, blue of a pixel stand side by side, so that a plane's width
/// is three times the picture's.
package struct DevelopedPicture: ~Copyable {
  /// Of the turned picture, in pixels.
  package let size: PixelSize
  /// 8 bits a sample, dithered; nil where that depth was not asked for.
  package var rgb8: Plane<UInt8>?
  /// 16 bits a sample, rounded; nil where that depth was not asked for.
  package var rgb16: Plane<UInt16>?
}
