internal import RawModel

extension FocalPlane {
  /// From the values of Exif's tags; nil where a resolution is missing, no number, or in no unit of length.
  ///
  /// FocalPlaneResolutionUnit (41488) is 2 for inches, which is also its default, and 3 for centimetres;
  /// cameras also write 4 for millimetres and 5 for micrometres.
  init?(x: Double?, y: Double?, unit: Double?, width: Double?, height: Double?) {
    let millimetres: Double
    switch unit ?? 2 {
    case 2: millimetres = 25.4
    case 3: millimetres = 10
    case 4: millimetres = 1
    case 5: millimetres = 0.001
    default: return nil
    }
    guard let x, let y, x.isFinite, y.isFinite, x > 0, y > 0 else { return nil }
    func side(_ value: Double?) -> Int? {
      guard let value, (1...1e9).contains(value) else { return nil }
      return Int(value)
    }
    self.init(
      pixelsPerMillimetreX: x / millimetres,
      pixelsPerMillimetreY: y / millimetres,
      imageWidth: side(width),
      imageHeight: side(height)
    )
  }
}
