/// The CIE 1931 standard colorimetric observer: what a spectrum is as a colour.
enum StandardObserver {
  /// The chromaticity of a light from its relative power, straight between samples and level beyond them.
  ///
  /// Summed from 380 to 780 nm in steps of 5 nm; CIE 15:2018, 7.1.
  static func chromaticity(first: Double, step: Double, powers: [Double]) -> Chromaticity? {
    guard !powers.isEmpty, first.isFinite, step.isFinite, step > 0 || powers.count == 1,
      powers.allSatisfy({ $0.isFinite && $0 >= 0 })
    else { return nil }
    var sum = Vector3(0, 0, 0)
    var whole = Vector3(0, 0, 0)
    for (index, response) in responses.enumerated() {
      let wavelength = 380 + 5 * Double(index)
      let place = powers.count == 1 ? 0 : (wavelength - first) / step
      let held = min(max(place, 0), Double(powers.count - 1))
      let low = Int(held)
      let high = min(low + 1, powers.count - 1)
      let power = powers[low] + (powers[high] - powers[low]) * (held - Double(low))
      sum += response * power
      whole += response
    }
    // So that equal power at all wavelengths comes to x = y = 1/3 in spite of the rounded tables.
    return Chromaticity(xyz: sum / whole)
  }

  /// The responses of the 1931 observer from 380 to 780 nm in steps of 5 nm: CIE 018:2019.
  private static let responses: [Vector3] = [
    Vector3(0.001368, 0.000039000000, 0.006450001),
    Vector3(0.002236, 0.000064000000, 0.01054999),
    Vector3(0.004243, 0.00012, 0.02005001),
    Vector3(0.00765, 0.000217, 0.03621),
    Vector3(0.01431, 0.000396, 0.06785001),
    Vector3(0.02319, 0.00064, 0.1102),
    Vector3(0.04351, 0.00121, 0.2074),
    Vector3(0.07763, 0.00218, 0.3713),
    Vector3(0.13438, 0.004, 0.6456),
    Vector3(0.21477, 0.0073, 1.0390501),
    Vector3(0.2839, 0.0116, 1.3856),
    Vector3(0.3285, 0.01684, 1.62296),
    Vector3(0.34828, 0.023, 1.74706),
    Vector3(0.34806, 0.0298, 1.7826),
    Vector3(0.3362, 0.038, 1.77211),
    Vector3(0.3187, 0.048, 1.7441),
    Vector3(0.2908, 0.06, 1.6692),
    Vector3(0.2511, 0.0739, 1.5281),
    Vector3(0.19536, 0.09098, 1.28764),
    Vector3(0.1421, 0.1126, 1.0419),
    Vector3(0.09564, 0.13902, 0.8129501),
    Vector3(0.05795001, 0.1693, 0.6162),
    Vector3(0.03201, 0.20802, 0.46518),
    Vector3(0.0147, 0.2586, 0.3533),
    Vector3(0.0049, 0.323, 0.272),
    Vector3(0.0024, 0.4073, 0.2123),
    Vector3(0.0093, 0.503, 0.1582),
    Vector3(0.0291, 0.6082, 0.1117),
    Vector3(0.06327, 0.71, 0.07824999),
    Vector3(0.1096, 0.7932, 0.05725001),
    Vector3(0.1655, 0.862, 0.04216),
    Vector3(0.2257499, 0.9148501, 0.02984),
    Vector3(0.2904, 0.954, 0.0203),
    Vector3(0.3597, 0.9803, 0.0134),
    Vector3(0.4334499, 0.9949501, 0.008749999),
    Vector3(0.5120501, 1, 0.005749999),
    Vector3(0.5945, 0.995, 0.0039),
    Vector3(0.6784, 0.9786, 0.002749999),
    Vector3(0.7621, 0.952, 0.0021),
    Vector3(0.8425, 0.9154, 0.0018),
    Vector3(0.9163, 0.87, 0.001650001),
    Vector3(0.9786, 0.8163, 0.0014),
    Vector3(1.0263, 0.757, 0.0011),
    Vector3(1.0567, 0.6949, 0.001),
    Vector3(1.0622, 0.631, 0.0008),
    Vector3(1.0456, 0.5668, 0.0006),
    Vector3(1.0026, 0.503, 0.00034),
    Vector3(0.9384, 0.4412, 0.00024),
    Vector3(0.8544499, 0.381, 0.00019),
    Vector3(0.7514, 0.321, 0.0001),
    Vector3(0.6424, 0.265, 0.000049999990),
    Vector3(0.5419, 0.217, 0.000030000000),
    Vector3(0.4479, 0.175, 0.000020000000),
    Vector3(0.3608, 0.1382, 0.000010000000),
    Vector3(0.2835, 0.107, -0.000000000000),
    Vector3(0.2187, 0.0816, 0),
    Vector3(0.1649, 0.061, 0),
    Vector3(0.1212, 0.04458, 0),
    Vector3(0.0874, 0.032, 0),
    Vector3(0.0636, 0.0232, 0),
    Vector3(0.04677, 0.017, 0),
    Vector3(0.0329, 0.01192, 0),
    Vector3(0.0227, 0.00821, 0),
    Vector3(0.01584, 0.005723, 0),
    Vector3(0.01135916, 0.004102, 0),
    Vector3(0.008110916, 0.002929, 0),
    Vector3(0.005790346, 0.002091, 0),
    Vector3(0.004109457, 0.001484, 0),
    Vector3(0.002899327, 0.001047, 0),
    Vector3(0.00204919, 0.00074, 0),
    Vector3(0.001439971, 0.00052, 0),
    Vector3(0.0009999493, 0.0003611, 0),
    Vector3(0.0006900786, 0.0002492, 0),
    Vector3(0.0004760213, 0.0001719, 0),
    Vector3(0.0003323011, 0.00012, 0),
    Vector3(0.0002348261, 0.000084800000, 0),
    Vector3(0.0001661505, 0.000060000000, 0),
    Vector3(0.000117413, 0.000042400000, 0),
    Vector3(0.000083075270, 0.000030000000, 0),
    Vector3(0.000058706520, 0.000021200000, 0),
    Vector3(0.000041509940, 0.000014990000, 0),
  ]
}
