import Recipe
import Testing

@Suite struct CubeTableTests {
  private static func table(_ text: String) throws -> CubeTable { try CubeTable(Array(text.utf8)) }

  @Test func curves() throws {
    let table = try Self.table("LUT_1D_SIZE 2\r\n0 0.5 1e-1\r\n1 +1 -.25\r\n")
    #expect(table.kind == .curves && table.size == 2)
    #expect(table.colors == [SIMD3(0, 0.5, 0.1), SIMD3(1, 1, -0.25)])
    #expect(table.domainMinimum == .zero && table.domainMaximum == .one)
  }

  @Test func cubes() throws {
    let rows = (0..<8).map { "\($0) 0 0.123456789012345678" }.joined(separator: "\n")
    let text = "\u{FEFF}#c\nTITLE \"a b\"\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE -0.5 2\n\(rows)"
    let table = try Self.table(text)
    #expect(table.kind == .cube && table.colors.map(\.x) == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(table.colors[0].z == 0.123456789)
    #expect(table.domainMinimum == SIMD3(repeating: -0.5) && table.domainMaximum.x == 2)
  }

  @Test(
    arguments: [
      ("", nil, "has neither LUT_1D_SIZE nor LUT_3D_SIZE"),
      ("0 0 0", 1, "colours come before LUT_1D_SIZE or LUT_3D_SIZE"),
      ("LUT_3D_SIZE 1", 1, "the size must be a number from 2 to 256"),
      ("LUT_3D_SIZE 257", 1, "the size must be a number from 2 to 256"),
      ("LUT_1D_SIZE two", 1, "the size must be a number from 2 to 65536"),
      ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2", 2, "a second size"),
      ("LUT_1D_SIZE 2\n0 0 0\n", nil, "ends after 1 of 2 colours"),
      ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n1 1 1", 4, "more than the 2 colours of a curve of 2"),
      ("LUT_1D_SIZE 2\n0 0\n", 2, "expected three numbers, found 2 words"),
      ("LUT_1D_SIZE 2\n0 0 0x1\n", 2, "0x1 is no number"),
      ("LUT_1D_SIZE 2\n0 0 1e99\n", 2, "1e99 is no number"),
      ("LUT_1D_SIZE 2\n0 0 nan\n", 2, "nan is no number"),
      ("LUT_1D_SIZE 2\n0 0 0\nTITLE \"x\"\n", 3, "TITLE after the first colour"),
      ("TITLE \"x\"\nTITLE \"y\"", 2, "a second TITLE"),
      ("LUT_1D_SIZE 2\nDOMAIN_MIN 0 0\n", 2, "expected three numbers, found 2 words"),
      (
        "LUT_1D_SIZE 2\nDOMAIN_MIN 1 0 0\n0 0 0\n1 1 1", nil,
        "its domain is empty: DOMAIN_MIN is not below DOMAIN_MAX"
      ),
      ("FOO 1\n", 1, "unknown keyword FOO"),
    ] as [(String, Int?, String)]
  )
  func faultsHaveTheirLine(text: String, line: Int?, reason: String) {
    do {
      _ = try Self.table(text)
      Issue.record("taken: \(text)")
    } catch let error as CubeTableError {
      #expect(error.line == line && error.reason == reason)
    } catch {
      Issue.record("another error: \(error)")
    }
  }

  /// No bytes make the parser trap.
  @Test func anyBytes() {
    var state: UInt64 = 7
    let alphabet = Array("LUT_1D_SIZE 3\n0.51e-9# \tDOMAIN_MAX".utf8)
    for _ in 0..<2000 {
      var text: [UInt8] = []
      for _ in 0..<40 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let choice = Int(state >> 33)
        text.append(choice % 5 == 0 ? UInt8(choice >> 8 & 255) : alphabet[choice % alphabet.count])
      }
      _ = try? CubeTable(text)
    }
  }
}
