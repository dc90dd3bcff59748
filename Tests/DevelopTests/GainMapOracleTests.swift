import ColorScience
import Develop
import FileSystem
import Raster
import RawModel
import Recipe
import TestSupport
import Testing

/// GainMaps in each list against numpy, to 1e-5 of the value.
@Suite struct GainMapOracleTests {
  @Test(
    .enabled(if: OraclePython.isAvailable, OraclePython.missingComment),
    arguments: 1...3
  )
  func gainsAreNumpys(list: Int) throws {
    let (width, height) = (301, 203)
    var description = TestFrame.description(width, height, layout: .linear(planes: 1))
    var generator = SeededGenerator(seed: 31)
    let map = GainMap(
      area: OpcodeArea(top: 0, left: 0, bottom: height, right: width),
      pointsV: 7,
      pointsH: 9,
      spacingV: 0.16,
      spacingH: 0.11,
      originV: 0.02,
      originH: 0.04,
      mapPlanes: 1,
      gains: (0..<63).map { _ in Float.random(in: 0.4...2, using: &generator) }
    )
    let stored = try TestFrame.noise(description, seed: 32)
    let folder = try TemporaryDirectory()
    let samples = (0..<height).flatMap { stored.samples.values(ofRow: $0) }.map { $0 / 65535 }
    let input = try folder.write(RawBytes.bytes(samples), to: "samples")
    let gains = try folder.write(RawBytes.bytes(map.gains.map { Double($0) }), to: "gains")
    let output = folder.path("out")
    _ = try OraclePython.run(
      "gain_map.py",
      arguments: [
        "\(input)", "\(width)", "\(height)", "\(gains)", "7", "9", "0.16", "0.11", "0.02", "0.04",
        "\(output)",
      ]
    )
    let expected = RawBytes.doubles(try output.readAll())
    let opcode = Opcode(operation: .gainMap(map), isOptional: false, isSkippedForPreview: false)
    switch list {
    case 1: description.opcodeList1 = [opcode]
    case 2: description.opcodeList2 = [opcode]
    default: description.opcodeList3 = [opcode]
    }
    let frame = try TestFrame.frame(description) { x, y in
      UInt16(stored.samples.values(ofRow: y)[x])
    }
    let result = try Development(frame, .linear)
    for (index, linear) in expected.enumerated() {
      // A written code is a whole number; a stored sample is one again, and within 1e-5 of the value may
      // round either way.
      let linears =
        list == 1
        ? [-1e-5, 0, 1e-5].map { (linear * (1 + $0) * 65535).rounded() / 65535 } : [linear]
      let found = Double(result.sixteen[3 * index])
      let isClose = linears.contains { linear in
        let code = 65535 * TransferFunction.sRGB.encode(min(1, linear))
        let bound = abs(65535 * TransferFunction.sRGB.encode(min(1, linear * (1 + 1e-5))) - code)
        return abs(found - code) <= 0.5 + bound + 1e-3
      }
      #expect(isClose, "\(index): \(found), \(linear)")
    }
  }
}
