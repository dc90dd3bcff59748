import ColorScience
import Testing

@Suite struct RGBSpaceTests {
  private static let spaces: [RGBSpace] = [.displayP3, .sRGB, .rec2020, .romm]

  private func expectEqual(_ a: Matrix3, _ b: Matrix3, within tolerance: Double) {
    for row in 0..<3 {
      for column in 0..<3 {
        #expect(abs(a.rows[row][column] - b.rows[row][column]) <= tolerance)
      }
    }
  }

  /// Published to six digits: SMPTE EG 432-1 (Display P3), ITU-R BT.2020.
  @Test func publishedMatrices() {
    expectEqual(
      RGBSpace.displayP3.toXYZ,
      Matrix3(
        Vector3(0.486571, 0.265668, 0.198217),
        Vector3(0.228975, 0.691739, 0.079287),
        Vector3(0, 0.045113, 1.043944)
      ),
      within: 6e-7
    )
    expectEqual(
      RGBSpace.rec2020.toXYZ,
      Matrix3(
        Vector3(0.636958, 0.144617, 0.168881),
        Vector3(0.2627, 0.677998, 0.059302),
        Vector3(0, 0.028073, 1.060985)
      ),
      within: 6e-7
    )
    // ISO 22028-2 prints four digits.
    expectEqual(
      RGBSpace.romm.toXYZ,
      Matrix3(
        Vector3(0.7977, 0.1352, 0.0313),
        Vector3(0.2880, 0.7119, 0.0001),
        Vector3(0, 0, 0.8249)
      ),
      within: 3e-4
    )
  }

  /// The colorants of an ICC profile of Display P3: its primaries under the D50 of ICC.1, as a
  /// colour management library derives them.
  @Test func displayP3UnderD50() throws {
    let white = try #require(Chromaticity(xyz: Vector3(0.9642, 1, 0.8249)))
    expectEqual(
      RGBSpace.displayP3.matrix(toXYZUnder: white),
      Matrix3(
        Vector3(0.51512, 0.29198, 0.15710),
        Vector3(0.24119, 0.69224, 0.06657),
        Vector3(-0.00105, 0.04188, 0.78407)
      ),
      within: 1e-4
    )
  }

  @Test func whiteStaysWhiteBetweenAllSpaces() {
    for source in Self.spaces {
      for destination in Self.spaces {
        let white = source.matrix(to: destination) * Vector3(1, 1, 1)
        #expect((white - Vector3(1, 1, 1)).length < 1e-14)
      }
    }
  }

  @Test func roundTripsBetweenAllSpaces() {
    let color = Vector3(0.9, 0.2, 0.05)
    for source in Self.spaces {
      for destination in Self.spaces {
        let there = source.matrix(to: destination) * color
        let back = destination.matrix(to: source) * there
        #expect((back - color).length < 1e-13)
      }
    }
  }

  @Test func collinearPrimariesAreRefused() {
    let a = Chromaticity(x: 0.3, y: 0.3)
    #expect(RGBSpace(red: a, green: a, blue: .d50, white: .d65) == nil)
  }

  @Test func bradfordMovesWhiteToWhite() {
    let moved =
      ChromaticAdaptation.bradford(from: Chromaticity(x: 0.44757, y: 0.40745), to: .d50)
      * Chromaticity(x: 0.44757, y: 0.40745).xyz
    #expect((moved - Chromaticity.d50.xyz).length < 1e-14)
  }

  @Test func bradfordOfExtremeWhitesStaysInvertible() {
    let matrix = ChromaticAdaptation.bradford(from: Chromaticity(x: 0.7, y: 0.01), to: .d50)
    #expect(matrix.inverse != nil)
  }

  @Test func transferFunctions() {
    // IEC 61966-2-1: mid grey and the ends.
    #expect(TransferFunction.sRGB.encode(0) == 0)
    #expect(abs(TransferFunction.sRGB.encode(1) - 1) < 1e-15)
    #expect(abs(TransferFunction.sRGB.encode(0.18) - 0.46135612950044164) < 1e-14)
    for function in [TransferFunction.sRGB, .romm, .linear] {
      for step in -100...150 {
        let x = Double(step) / 100
        #expect(abs(function.decode(function.encode(x)) - x) < 1e-7)
      }
    }
  }
}
