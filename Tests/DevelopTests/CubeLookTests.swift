import ColorScience
import Develop
import RawModel
import Recipe
import TestSupport
import Testing

@Suite struct CubeLookTests {
  private static func look(_ text: String) -> DevelopAdjustments {
    var adjustments = DevelopAdjustments.linear
    adjustments.lut = RecipeFile(name: "look.cube", contents: Array(text.utf8))
    return adjustments
  }

  /// A cube of a function of encoded colours.
  private static func cube(_ size: Int, _ function: (SIMD3<Double>) -> SIMD3<Double>) -> String {
    var text = "TITLE \"test\"\nLUT_3D_SIZE \(size)\n"
    let end = Double(size - 1)
    for b in 0..<size {
      for g in 0..<size {
        for r in 0..<size {
          let color = function(SIMD3(Double(r) / end, Double(g) / end, Double(b) / end))
          text += "\(color.x) \(color.y) \(color.z)\n"
        }
      }
    }
    return text
  }

  private static func frame() throws -> RawFrame {
    var generator = SeededGenerator(seed: 17)
    let description = TestFrame.description(48, 32, layout: .linear(planes: 3))
    return try TestFrame.frame(description) { _, _ in
      UInt16.random(in: 0...65535, using: &generator)
    }
  }

  @Test(arguments: [2, 3, 17])
  func theIdentity(size: Int) throws {
    let plain = try Development(try Self.frame(), .linear, depths: [.sixteen])
    let looked = try Development(
      try Self.frame(),
      Self.look(Self.cube(size) { $0 }),
      depths: [.sixteen]
    )
    for (one, other) in zip(plain.sixteen, looked.sixteen) {
      #expect(abs(Int(one) - Int(other)) < 2)
    }
  }

  /// Straight functions are exact at any size: here channels change places and one is inverted.
  @Test func channelsAreInTheirOrder() throws {
    let plain = try Development(try Self.frame(), .linear, depths: [.sixteen])
    let looked = try Development(
      try Self.frame(),
      Self.look(Self.cube(5) { SIMD3($0.y, $0.z, 1 - $0.x) }),
      depths: [.sixteen]
    )
    for pixel in 0..<(48 * 32) {
      let color = (0..<3).map { Int(plain.sixteen[3 * pixel + $0]) }
      let expected = [color[1], color[2], 65535 - color[0]]
      for channel in 0..<3 {
        #expect(abs(expected[channel] - Int(looked.sixteen[3 * pixel + channel])) < 3)
      }
    }
  }

  /// Within one of a cell's six tetrahedra a result is a mean of four corners: by barycentric coordinates.
  @Test func tetrahedraOfOneCell() throws {
    var generator = SeededGenerator(seed: 3)
    var corners: [SIMD3<Double>] = []
    for _ in 0..<8 {
      corners.append(
        SIMD3(
          Double.random(in: 0...1, using: &generator),
          Double.random(in: 0...1, using: &generator),
          Double.random(in: 0...1, using: &generator)
        )
      )
    }
    let text = Self.cube(2) { corners[Int($0.x) + 2 * Int($0.y) + 4 * Int($0.z)] }
    let plain = try Development(try Self.frame(), .linear, depths: [.sixteen])
    let looked = try Development(try Self.frame(), Self.look(text), depths: [.sixteen])
    for pixel in 0..<(48 * 32) {
      let place = (0..<3).map { Double(plain.sixteen[3 * pixel + $0]) / 65535 }
      // Walk from black to white, along the channels from the largest to the smallest.
      let order = [0, 1, 2].sorted { place[$0] > place[$1] }
      var corner = 0
      var expected = corners[0] * (1 - place[order[0]])
      for (index, channel) in order.enumerated() {
        corner += 1 << channel
        let next = index < 2 ? place[order[index + 1]] : 0
        expected += corners[corner] * (place[channel] - next)
      }
      for channel in 0..<3 {
        let code = Double(looked.sixteen[3 * pixel + channel])
        #expect(abs(code - 65535 * expected[channel]) < 4)
      }
    }
  }

  @Test func curvesAndDomains() throws {
    let plain = try Development(try Self.frame(), .linear, depths: [.sixteen])
    // Half of what it was, over a domain that ends at a half: white is the last entry from there on.
    let text = """
      # a comment
      LUT_1D_SIZE 3
      DOMAIN_MIN 0 0 0
      DOMAIN_MAX 0.5 0.5 1.0

      0 0 1
      0.125 0.25 0.5
      0.25 0.5 0
      """
    let looked = try Development(try Self.frame(), Self.look(text), depths: [.sixteen])
    for pixel in 0..<(48 * 32) {
      let color = (0..<3).map { Double(plain.sixteen[3 * pixel + $0]) / 65535 }
      let expected = [min(color[0], 0.5) / 2, min(color[1], 0.5), 1 - color[2]]
      for channel in 0..<3 {
        let code = Double(looked.sixteen[3 * pixel + channel])
        #expect(abs(code - 65535 * expected[channel]) < 4)
      }
    }
  }

  @Test func aLookThatIsNoneIsRefused() throws {
    let frame = try Self.frame()
    #expect(
      throws: DevelopError.lookUnusable(
        name: "look.cube",
        line: 2,
        reason: "unknown keyword HELLO"
      )
    ) {
      try DevelopSettings(resolving: Self.look("LUT_1D_SIZE 2\nHELLO"), for: frame.description)
    }
  }
}
