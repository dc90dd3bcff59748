internal import ColorScience
internal import RawModel
internal import TIFFContainer

extension CameraColor {
  /// The colour tags of IFD 0 (DNG 1.7.1 chapter 6).
  ///
  /// - Throws: `container`, `inconsistentTag`, `singularMatrix`.
  init(
    _ main: DNGDirectory,
    planes: Int,
    _ warnings: inout ReadWarnings
  ) throws(DNGReadError) {
    let asShotWhite = try Self.asShotWhite(main, planes: planes)
    guard planes == 3 else {
      self.init(calibrations: [], asShotWhite: asShotWhite)
      return
    }
    var balance = Vector3(1, 1, 1)
    if let values = try main.numbers(.analogBalance, count: 3...3) {
      guard values.allSatisfy({ $0 > 0 }) else {
        throw main.inconsistent(.analogBalance, "is \(values); each value must be above 0")
      }
      balance = Vector3(values)
    }
    // DNG 1.7.1, "CameraCalibrationSignature": the calibration counts only for profiles of the same
    // signature; two absent ones are equal.
    let camera = try main.text(.cameraCalibrationSignature)
    let isCalibrated = try main.text(.profileCalibrationSignature) == camera
    var calibrations: [Calibration] = []
    var cameraCalibrations: [Matrix3?] = []
    for tags in Self.tags {
      let calibration = try Self.matrix(main, tags.cameraCalibration)
      cameraCalibrations.append(calibration)
      guard let colorMatrix = try Self.matrix(main, tags.colorMatrix) else { continue }
      let illuminant = try main.integer(tags.illuminant, in: 0...65_535) ?? 0
      calibrations.append(
        Calibration(
          illuminant: illuminant,
          illuminantData: illuminant == 255
            ? try IlluminantData(main, tags.illuminantData, &warnings) : nil,
          colorMatrix: colorMatrix,
          forwardMatrix: try Self.matrix(main, tags.forwardMatrix),
          cameraCalibration: isCalibrated ? calibration : nil
        )
      )
    }
    self.init(
      calibrations: calibrations,
      analogBalance: balance,
      asShotWhite: asShotWhite,
      cameraCalibrations: cameraCalibrations,
      cameraCalibrationSignature: camera ?? ""
    )
  }

  private static let tags:
    [(
      illuminant: TIFFTag, colorMatrix: TIFFTag, forwardMatrix: TIFFTag,
      cameraCalibration: TIFFTag, illuminantData: TIFFTag
    )] = [
      (
        .calibrationIlluminant1, .colorMatrix1, .forwardMatrix1, .cameraCalibration1,
        .illuminantData1
      ),
      (
        .calibrationIlluminant2, .colorMatrix2, .forwardMatrix2, .cameraCalibration2,
        .illuminantData2
      ),
      (
        .calibrationIlluminant3, .colorMatrix3, .forwardMatrix3, .cameraCalibration3,
        .illuminantData3
      ),
    ]

  private static func asShotWhite(
    _ main: DNGDirectory,
    planes: Int
  ) throws(DNGReadError) -> AsShotWhite {
    if planes == 3, let neutral = try main.numbers(.asShotNeutral, count: 3...3) {
      guard neutral.allSatisfy({ $0 > 0 }) else {
        throw main.inconsistent(.asShotNeutral, "is \(neutral); each value must be above 0")
      }
      return .neutral(Vector3(neutral))
    }
    guard let white = try main.numbers(.asShotWhiteXY, count: 2...2) else { return .unknown }
    guard white[0] > 0, white[1] > 0, white[0] + white[1] <= 1 else {
      throw main.inconsistent(.asShotWhiteXY, "is \(white), no chromaticity")
    }
    return .chromaticity(Chromaticity(x: white[0], y: white[1]))
  }

  private static func matrix(
    _ main: DNGDirectory,
    _ tag: TIFFTag
  ) throws(DNGReadError) -> Matrix3? {
    guard let values = try main.numbers(tag, count: 9...9) else { return nil }
    let rows = (0..<3).map { Vector3(values[3 * $0], values[3 * $0 + 1], values[3 * $0 + 2]) }
    // A determinant is at most the product of the rows' lengths (Hadamard); camera matrices have a
    // hundredth of that or more, rounding leaves 1e-16.
    let cross = Vector3(
      rows[1].y * rows[2].z - rows[1].z * rows[2].y,
      rows[1].z * rows[2].x - rows[1].x * rows[2].z,
      rows[1].x * rows[2].y - rows[1].y * rows[2].x
    )
    let determinant = (rows[0] * cross).sum()
    let lengths = rows.map { ($0 * $0).sum().squareRoot() }
    guard abs(determinant) > 1e-9 * lengths[0] * lengths[1] * lengths[2] else {
      throw .singularMatrix(main.site(tag))
    }
    return Matrix3(rows[0], rows[1], rows[2])
  }
}
