/// A 3x3 matrix of doubles in row order.
package struct Matrix3: Equatable, Sendable {
  package var rows: [3 of Vector3]

  package init(_ row0: Vector3, _ row1: Vector3, _ row2: Vector3) {
    rows = [row0, row1, row2]
  }

  package static func == (left: Matrix3, right: Matrix3) -> Bool {
    left.rows[0] == right.rows[0] && left.rows[1] == right.rows[1] && left.rows[2] == right.rows[2]
  }
}

/// Three doubles: a colour or a row of a matrix.
package typealias Vector3 = SIMD3<Double>
