internal import ColorScience
internal import RawModel

/// The camera's colour matrices, checked, for any white.
///
/// DNG 1.7.1 chapter 6, "Mapping Camera Color Space to CIE XYZ Space". Version 1.
struct CameraColorModel: Sendable {
  /// In ascending order of `kelvin` where there are two.
  private let calibrations: [CameraColor.Calibration]
  /// Of the two illuminants; nil for a single calibration or where a temperature is unknown.
  private let temperatures: (low: Double, high: Double)?
  private let analogBalance: Matrix3

  /// - Throws: `colorMatrixMissing`, or which tag is unusable.
  init(_ color: CameraColor) throws(DevelopError) {
    guard let first = color.calibrations.first else { throw .colorMatrixMissing }
    for (index, calibration) in color.calibrations.prefix(2).enumerated() {
      try Self.check(calibration, number: index + 1)
    }
    let balance = color.analogBalance
    guard balance.isFinite, balance.min() > 0, let matrix = Optional(Matrix3(diagonal: balance)),
      matrix.inverse != nil
    else { throw .colorMatrixUnusable(tag: "AnalogBalance") }
    analogBalance = matrix
    guard color.calibrations.count > 1,
      let t1 = Illuminant(rawValue: first.illuminant).kelvin,
      let t2 = Illuminant(rawValue: color.calibrations[1].illuminant).kelvin, t1 != t2
    else {
      calibrations = [first]
      temperatures = nil
      return
    }
    let second = color.calibrations[1]
    calibrations = t1 < t2 ? [first, second] : [second, first]
    temperatures = (low: min(t1, t2), high: max(t1, t2))
  }

  /// XYZ to camera under a white: AnalogBalance x CameraCalibration x ColorMatrix.
  func xyzToCamera(under white: Chromaticity) -> Matrix3 {
    let weight = weightOfLow(white)
    let matrix = mix(weight) { $0.colorMatrix }
    return referenceToCamera(weight) * matrix
  }

  /// What the camera records of a white, its largest component 1; not under 0.001, so that gains
  /// stay sensible.
  func neutral(for white: Chromaticity) -> Vector3 {
    let camera = xyzToCamera(under: white) * white.xyz
    let largest = camera.max()
    guard largest > 0 else { return Vector3(0.001, 0.001, 0.001) }
    return (camera / largest).clamped(
      lowerBound: Vector3(repeating: 0.001),
      upperBound: Vector3(repeating: 1)
    )
  }

  /// The white whose neutral is this; the matrices depend on the white, so by iteration from D50.
  ///
  /// Ends when a step is under 1e-7; after 30 steps the mean of the last two is taken, which is the
  /// middle of a cycle of two.
  func white(for neutral: Vector3) throws(DevelopError) -> Chromaticity {
    var white = Chromaticity.d50
    for pass in 0..<30 {
      guard let inverse = xyzToCamera(under: white).inverse else {
        throw .colorMatrixUnusable(tag: "ColorMatrix")
      }
      guard let next = Chromaticity(xyz: inverse * neutral), next.isPlausible else {
        throw .neutralUnusable(tag: "AsShotNeutral")
      }
      if abs(next.x - white.x) + abs(next.y - white.y) < 1e-7 { return next }
      let isLast = pass == 29
      white = isLast ? Chromaticity(x: (next.x + white.x) / 2, y: (next.y + white.y) / 2) : next
    }
    return white
  }

  /// White-balanced camera values (camera values over the neutral) to XYZ under D50.
  ///
  /// With a ForwardMatrix: FM x diag(1 / reference neutral) x inverse(AB x CC) x diag(neutral). Without
  /// one: the inverse of XYZ-to-camera, adapted from the white to D50 by Bradford. Both take (1, 1, 1)
  /// to D50.
  func balancedCameraToXYZ(under white: Chromaticity) throws(DevelopError) -> Matrix3 {
    let neutral = neutral(for: white)
    let weight = weightOfLow(white)
    let matrix: Matrix3
    if let forward = forwardMatrix(weight) {
      guard let inverse = referenceToCamera(weight).inverse else {
        throw .colorMatrixUnusable(tag: "CameraCalibration")
      }
      let reference = inverse * neutral
      guard reference.min() > 0 else { throw .colorMatrixUnusable(tag: "CameraCalibration") }
      let balance = Matrix3(diagonal: Vector3(repeating: 1) / reference)
      matrix = forward * balance * inverse * Matrix3(diagonal: neutral)
    } else {
      guard let inverse = xyzToCamera(under: white).inverse else {
        throw .colorMatrixUnusable(tag: "ColorMatrix")
      }
      let adaptation = ChromaticAdaptation.bradford(from: white, to: .d50)
      let unscaled = adaptation * inverse * Matrix3(diagonal: neutral)
      let luminance = (unscaled * Vector3(1, 1, 1)).y
      guard luminance > 0 else { throw .colorMatrixUnusable(tag: "ColorMatrix") }
      matrix = (1 / luminance) * unscaled
    }
    guard matrix.isFinite else { throw .colorMatrixUnusable(tag: "ColorMatrix") }
    return matrix
  }

  // MARK: - Interpolation

  /// The share of the calibration for the lower temperature: linear in reciprocal temperature, 1 and 0
  /// beyond the two illuminants.
  private func weightOfLow(_ white: Chromaticity) -> Double {
    guard let temperatures else { return 1 }
    let kelvin = ColorTemperature(white).kelvin
    if kelvin <= temperatures.low { return 1 }
    if kelvin >= temperatures.high { return 0 }
    return (1 / kelvin - 1 / temperatures.high) / (1 / temperatures.low - 1 / temperatures.high)
  }

  private func mix(_ weight: Double, _ matrix: (CameraColor.Calibration) -> Matrix3) -> Matrix3 {
    let low = matrix(calibrations[0])
    guard calibrations.count > 1, weight < 1 else { return low }
    let high = matrix(calibrations[1])
    guard weight > 0 else { return high }
    return weight * low + (1 - weight) * high
  }

  /// AnalogBalance x CameraCalibration.
  private func referenceToCamera(_ weight: Double) -> Matrix3 {
    analogBalance * mix(weight) { $0.cameraCalibration ?? .identity }
  }

  /// The interpolated ForwardMatrix, each first scaled so that (1, 1, 1) goes to D50; where only one
  /// calibration has one, that one; nil where none has.
  private func forwardMatrix(_ weight: Double) -> Matrix3? {
    let matrices = calibrations.map { $0.forwardMatrix.map(Self.normalized) }
    switch (matrices.first ?? nil, matrices.count > 1 ? matrices[1] : nil) {
    case (let low?, let high?): return weight * low + (1 - weight) * high
    case (let only?, nil), (nil, let only?): return only
    case (nil, nil): return nil
    }
  }

  private static func normalized(_ forward: Matrix3) -> Matrix3 {
    let white = forward * Vector3(1, 1, 1)
    return Matrix3(diagonal: Chromaticity.d50.xyz / white) * forward
  }

  private static func check(
    _ calibration: CameraColor.Calibration,
    number: Int
  ) throws(DevelopError) {
    guard calibration.colorMatrix.inverse != nil else {
      throw .colorMatrixUnusable(tag: "ColorMatrix\(number)")
    }
    if let matrix = calibration.cameraCalibration, matrix.inverse == nil {
      throw .colorMatrixUnusable(tag: "CameraCalibration\(number)")
    }
    if let matrix = calibration.forwardMatrix {
      guard matrix.inverse != nil, (matrix * Vector3(1, 1, 1)).min() > 0 else {
        throw .colorMatrixUnusable(tag: "ForwardMatrix\(number)")
      }
    }
  }
}
