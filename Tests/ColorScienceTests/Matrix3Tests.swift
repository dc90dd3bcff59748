import ColorScience
import Testing

@Suite struct Matrix3Tests {
  private let sample = Matrix3(Vector3(2, -1, 0.5), Vector3(0.25, 3, -2), Vector3(1, 0.125, 4))

  @Test func productWithVector() {
    #expect(sample * Vector3(1, 2, 4) == Vector3(2, -1.75, 17.25))
  }

  @Test func productOfMatrices() {
    let product = sample * Matrix3(Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(1, 0, 0))
    #expect(product == Matrix3(Vector3(0.5, 2, -1), Vector3(-2, 0.25, 3), Vector3(4, 1, 0.125)))
  }

  @Test func determinantOfKnownMatrix() {
    // 2 (12 + 0.25) + 1 (1 + 2) + 0.5 (0.03125 - 3)
    #expect(abs(sample.determinant - 26.015625) < 1e-12)
  }

  @Test func inverseTimesMatrixIsIdentity() throws {
    let product = try #require(sample.inverse) * sample
    for row in 0..<3 {
      for column in 0..<3 {
        #expect(abs(product.rows[row][column] - (row == column ? 1 : 0)) < 1e-15)
      }
    }
  }

  @Test(arguments: [
    Matrix3(Vector3(1, 2, 3), Vector3(2, 4, 6), Vector3(0, 1, 0)),
    Matrix3(Vector3(0, 0, 0), Vector3(0, 0, 0), Vector3(0, 0, 0)),
    Matrix3(Vector3(1, 1, 1), Vector3(1, 1, 1 + 1e-14), Vector3(1, 2, 3)),
    Matrix3(Vector3(.nan, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)),
    Matrix3(Vector3(.infinity, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)),
    Matrix3(Vector3(1e-200, 0, 0), Vector3(0, 1e-200, 0), Vector3(0, 0, 1e-200)),
  ])
  func unusableMatricesHaveNoInverse(matrix: Matrix3) {
    #expect(matrix.inverse == nil)
  }

  @Test func smallScaleIsNotSingular() {
    #expect(Matrix3(diagonal: Vector3(1e-6, 1e-6, 1e-6)).inverse != nil)
  }
}
