extension Matrix3 {
  package static let identity = Matrix3(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))

  /// The matrix that scales each component.
  package init(diagonal: Vector3) {
    self.init(
      Vector3(diagonal.x, 0, 0),
      Vector3(0, diagonal.y, 0),
      Vector3(0, 0, diagonal.z)
    )
  }

  /// The matrix whose columns are these.
  package init(columns a: Vector3, _ b: Vector3, _ c: Vector3) {
    self.init(Vector3(a.x, b.x, c.x), Vector3(a.y, b.y, c.y), Vector3(a.z, b.z, c.z))
  }

  package var transposed: Matrix3 {
    Matrix3(columns: rows[0], rows[1], rows[2])
  }

  package var determinant: Double {
    (rows[0] * rows[1].cross(rows[2])).sum()
  }

  package var isFinite: Bool {
    rows[0].isFinite && rows[1].isFinite && rows[2].isFinite
  }

  /// The inverse; nil for a matrix that is singular, nearly so, or not finite.
  ///
  /// Nearly singular means a determinant under 1e-12 of the product of the rows' lengths: at that
  /// point the volume that the rows span, and with it every digit of the result, is rounding error.
  package var inverse: Matrix3? {
    let determinant = determinant
    let scale = rows[0].length * rows[1].length * rows[2].length
    guard isFinite, scale.isFinite, abs(determinant) > 1e-12 * scale else { return nil }
    let inverse = Matrix3(
      columns: rows[1].cross(rows[2]) / determinant,
      rows[2].cross(rows[0]) / determinant,
      rows[0].cross(rows[1]) / determinant
    )
    return inverse.isFinite ? inverse : nil
  }

  package static func * (left: Matrix3, right: Vector3) -> Vector3 {
    Vector3(
      (left.rows[0] * right).sum(),
      (left.rows[1] * right).sum(),
      (left.rows[2] * right).sum()
    )
  }

  package static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    let columns = right.transposed
    return Matrix3(columns: left * columns.rows[0], left * columns.rows[1], left * columns.rows[2])
  }

  package static func * (left: Double, right: Matrix3) -> Matrix3 {
    Matrix3(left * right.rows[0], left * right.rows[1], left * right.rows[2])
  }

  package static func + (left: Matrix3, right: Matrix3) -> Matrix3 {
    Matrix3(
      left.rows[0] + right.rows[0],
      left.rows[1] + right.rows[1],
      left.rows[2] + right.rows[2]
    )
  }
}
