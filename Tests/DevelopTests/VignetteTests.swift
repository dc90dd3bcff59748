import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import Testing

/// Opcodes of list 3 that change light without moving it.
@Suite struct VignetteTests {
  private static func developed(
    _ frame: borrowing RawFrame
  ) throws -> LinearPicture {
    LinearPicture(
      try Development(
        frame,
        .linear,
        depths: [.sixteen],
        tileSize: PixelSize(width: 33, height: 21)
      )
    )
  }

  @Test(arguments: [2, 3])
  func radialGain(list: Int) throws {
    let flat = LinearPicture(71, 53) { x, _ in Vector3(0.2, 0.3, 0.1 + Double(x) / 100) }
    let k = [0.4, -0.1, 0.05, 0.02, -0.01]
    let vignette = Opcode(
      operation: .fixVignetteRadial(
        FixVignetteRadial(coefficients: k, center: OpticalCenter(x: 0.3, y: 0.6))
      ),
      isOptional: false,
      isSkippedForPreview: false
    )
    let frame = try flat.frame { description in
      if list == 2 {
        description.opcodeList2 = [vignette]
      } else {
        description.opcodeList3 = [vignette]
      }
    }
    let (cx, cy) = (0.3 * 70, 0.6 * 52)
    let far = max(cx, 70 - cx) * max(cx, 70 - cx) + max(cy, 52 - cy) * max(cy, 52 - cy)
    let expected = LinearPicture(71, 53) { x, y in
      let r2 = ((Double(x) - cx) * (Double(x) - cx) + (Double(y) - cy) * (Double(y) - cy)) / far
      var gain = 1.0
      var power = 1.0
      for factor in k {
        power *= r2
        gain += factor * power
      }
      return pointwiseMin(
        gain * Vector3(flat[x, y, 0], flat[x, y, 1], flat[x, y, 2]),
        Vector3(1, 1, 1)
      )
    }
    #expect(try Self.developed(frame).difference(from: expected) < 3e-5)
  }

  /// The same map in list 2 and list 3 of a LinearRaw gives the same picture.
  @Test func gainMapOfColours() throws {
    let picture = LinearPicture.texture(64, 48)
    let map = Opcode(
      operation: .gainMap(
        GainMap(
          area: OpcodeArea(top: 4, left: 3, bottom: 44, right: 60, plane: 1, planes: 2),
          pointsV: 3,
          pointsH: 4,
          spacingV: 0.4,
          spacingH: 0.3,
          originV: 0.1,
          originH: 0.05,
          mapPlanes: 2,
          gains: (0..<24).map { 0.8 + Float($0 % 7) / 10 }
        )
      ),
      isOptional: false,
      isSkippedForPreview: false
    )
    let second = try Self.developed(try picture.frame { $0.opcodeList2 = [map] })
    let third = try Self.developed(try picture.frame { $0.opcodeList3 = [map] })
    #expect(second.difference(from: third) < 3e-5)
    #expect(second.difference(from: picture) > 0.05)
  }
}
