internal import ColorScience
internal import JSON
internal import RawModel

/// The luminance of (1, 1, 1) of a scene, by the exposure.
///
/// The sensor saturates at the focal plane exposure 78 / S lux seconds (ISO 12232, saturation-based speed),
/// which a scene of luminance L gives by `q L t / N^2` with q = 0.65: `L = 78 / 0.65 x N^2 / (t S)` cd/m2.
/// Cameras state other kinds of speed as well, so that it is an estimate.
struct WhiteLuminance: Equatable, Sendable {
  /// In cd/m2.
  let value: Double

  /// Nil where the file lacks exposure time, aperture or speed.
  ///
  /// - Parameters:
  ///   - capture: What the file says.
  ///   - exposureEV: What the picture was brightened by.
  init?(_ capture: CaptureMetadata, exposureEV: Double) {
    guard let time = capture.exposureTimeSeconds, let aperture = capture.fNumber,
      let speed = capture.isoSpeed, time > 0, aperture > 0, speed > 0
    else { return nil }
    let luminance =
      78 / 0.65 * aperture * aperture / (time * Double(speed)) / PortableMath.exp2(exposureEV)
    // What single precision, in which files have it, holds.
    guard luminance.isFinite, luminance > 0, luminance < 1e30 else { return nil }
    value = luminance
  }

  var json: JSONValue {
    [
      "candelasPerSquareMetre": JSONValue(value),
      "source": "ExposureTime, FNumber and ISO speed by ISO 12232, saturation-based speed",
      "isUncertain": true,
    ]
  }
}
