import ColorScience
import Develop
import Raster
import RawModel
import Recipe
import Testing

@Suite struct DitherTests {
  /// Flat fields between two codes: only these two appear, in the right proportion.
  @Test(arguments: [900, 12345, 30000, 51001])
  func aFlatFieldKeepsItsMean(code: Int) throws {
    let description = TestFrame.description(96, 96, layout: .linear(planes: 1))
    let frame = try TestFrame.frame(description) { _, _ in UInt16(code) }
    let result = try Development(frame, .linear, depths: [.eight])
    let exact = 255 * TransferFunction.sRGB.encode(Double(code) / 65535)
    let mean = result.eight.reduce(0.0) { $0 + Double($1) } / Double(result.eight.count)
    #expect(abs(mean - exact) < 0.07)
    for value in result.eight { #expect(abs(Double(value) - exact) < 1.07) }
  }

  /// Neighbours complement each other: already blocks of 8x8 pixels have nearly the right mean.
  @Test func smallBlocksKeepTheirMean() throws {
    let description = TestFrame.description(64, 64, layout: .linear(planes: 1))
    let frame = try TestFrame.frame(description) { _, _ in 20000 }
    let result = try Development(frame, .linear, depths: [.eight])
    let exact = 255 * TransferFunction.sRGB.encode(20000.0 / 65535)
    for top in stride(from: 0, to: 64, by: 8) {
      for left in stride(from: 0, to: 64, by: 8) {
        var sum = 0.0
        for y in 0..<8 {
          for x in 0..<8 { sum += Double(result.eight[3 * ((top + y) * 64 + left + x)]) }
        }
        #expect(abs(sum / 64 - exact) < 0.16)
      }
    }
  }

  @Test func greyStaysGreyAndTheEndsStayPut() throws {
    let description = TestFrame.description(256, 4, layout: .linear(planes: 1))
    let frame = try TestFrame.frame(description) { x, _ in UInt16(x * 257) }
    let result = try Development(frame, DevelopAdjustments(), depths: [.eight])
    for pixel in 0..<(256 * 4) {
      #expect(result.eight[3 * pixel] == result.eight[3 * pixel + 1])
      #expect(result.eight[3 * pixel] == result.eight[3 * pixel + 2])
      if pixel % 256 == 0 { #expect(result.eight[3 * pixel] == 0) }
      if pixel % 256 == 255 { #expect(result.eight[3 * pixel] == 255) }
    }
  }
}
