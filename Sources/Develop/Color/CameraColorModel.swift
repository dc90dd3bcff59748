internal import ColorScience
internal import RawModel

/// The camera's colour matrices, checked, for any white.
///
/// One calibration serves any light. Two are mixed linearly in reciprocal temperature, the first alone
/// below the lower temperature and the second alone above the higher. Three are mixed by the distance of
/// the white from each light: see `weights(for:)`. DNG 1.7.1 chapter 6, "Mapping Camera Color Space to
/// CIE XYZ Space". Version 2: three calibrations, lights given by IlluminantData.
struct CameraColorModel: Sendable {
  /// Those in use, in the file's order.
  private let calibrations: [CameraColor.Calibration]
  private let interpolation: Interpolation
  private let analogBalance: Matrix3
  /// Calibrations of the file, used or not.
  private let calibrationCount: Int

  private enum Interpolation {
    case single
    /// Temperatures of the two lights, in kelvin, in the file's order.
    case dual(Double, Double)
    /// The places of the three lights.
    case triple([LightPlace])
  }

  /// - Throws: `colorMatrixMissing`, or which tag is unusable.
  init(_ color: CameraColor) throws(DevelopError) {
    guard let first = color.calibrations.first else { throw .colorMatrixMissing }
    for (index, calibration) in color.calibrations.enumerated() {
      try Self.check(calibration, number: index + 1)
    }
    let balance = color.analogBalance
    guard balance.isFinite, balance.min() > 0, let matrix = Optional(Matrix3(diagonal: balance)),
      matrix.inverse != nil
    else { throw .colorMatrixUnusable(tag: "AnalogBalance") }
    analogBalance = matrix
    calibrationCount = color.calibrations.count
    let lights = color.calibrations.map(\.light)
    let known = lights.compactMap(\.self)
    if known.count >= 3, calibrationCount >= 3 {
      calibrations = Array(color.calibrations.prefix(3))
      interpolation = .triple(known.prefix(3).map { LightPlace($0.temperature) })
    } else if calibrationCount > 1, let one = lights[0], let two = lights[1],
      one.kelvin != two.kelvin
    {
      calibrations = Array(color.calibrations.prefix(2))
      interpolation = .dual(one.kelvin, two.kelvin)
    } else {
      calibrations = [first]
      interpolation = .single
    }
  }

  /// The share of each of the file's calibrations in what is used for a white; they add up to 1.
  func weights(for white: Chromaticity) -> [Double] {
    let used: [Double]
    switch interpolation {
    case .single:
      used = [1]
    case .dual(let one, let two):
      let kelvin = ColorTemperature(white).kelvin
      let low = min(one, two)
      let high = max(one, two)
      var share = (1 / kelvin - 1 / high) / (1 / low - 1 / high)
      if kelvin <= low { share = 1 }
      if kelvin >= high { share = 0 }
      used = one < two ? [share, 1 - share] : [1 - share, share]
    case .triple(let places):
      used = LightPlace(ColorTemperature(white)).weights(of: places)
    }
    return used + Array(repeating: 0, count: calibrationCount - used.count)
  }

  /// XYZ to camera under a white: AnalogBalance x CameraCalibration x ColorMatrix.
  func xyzToCamera(under white: Chromaticity) -> Matrix3 {
    let weights = weights(for: white)
    let matrix = mix(weights) { $0.colorMatrix }
    return referenceToCamera(weights) * matrix
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
    let weights = weights(for: white)
    let matrix: Matrix3
    if let forward = forwardMatrix(weights) {
      guard let inverse = referenceToCamera(weights).inverse else {
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

  private func mix(
    _ weights: [Double],
    _ matrix: (CameraColor.Calibration) -> Matrix3
  ) -> Matrix3 {
    // A weight of 0 or 1 leaves the other matrices out altogether, rounding included.
    var sum: Matrix3?
    for (calibration, weight) in zip(calibrations, weights) where weight > 0 {
      let share = weight == 1 ? matrix(calibration) : weight * matrix(calibration)
      sum = sum.map { $0 + share } ?? share
    }
    return sum ?? matrix(calibrations[0])
  }

  /// AnalogBalance x CameraCalibration.
  private func referenceToCamera(_ weights: [Double]) -> Matrix3 {
    analogBalance * mix(weights) { $0.cameraCalibration ?? .identity }
  }

  /// The interpolated ForwardMatrix, each first scaled so that (1, 1, 1) goes to D50; where only some
  /// calibrations have one, the first that has; nil where none has.
  private func forwardMatrix(_ weights: [Double]) -> Matrix3? {
    let matrices = calibrations.compactMap { $0.forwardMatrix.map(Self.normalized) }
    guard matrices.count == calibrations.count else { return matrices.first }
    return mix(weights) { Self.normalized($0.forwardMatrix ?? .identity) }
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
