import ImageEncoding
import Raster
import Testing

@Suite struct LinearRowsTests {
  private func store(
    _ values: [Float],
    _ format: LinearSampleFormat
  ) throws -> (words: [UInt32], counts: LinearSampleCounts) {
    var plane = try Plane<Float>(width: values.count, height: 1)
    plane.withMutableRow(0) { row in for x in row.indices { row[x] = values[x] } }
    let (rows, counts) = LinearRows.storing(plane, rows: 0..<1, as: format)
    let size = format.byteCount
    let words = stride(from: 0, to: rows.bytes.count, by: size).map { start in
      (0..<size).reduce(UInt32(0)) { $0 | UInt32(rows.bytes[start + $1]) << (8 * $1) }
    }
    return (words, counts)
  }

  @Test func singlePrecisionIsKept() throws {
    let values: [Float] = [0, -0.25, 1.5, .leastNonzeroMagnitude, 1e30, -.infinity, .nan]
    let (words, counts) = try store(values, .float32)
    #expect(words == values.map(\.bitPattern))
    #expect(counts.negative == 2 && counts.notFinite == 2)
    #expect(counts.belowRange == 0 && counts.aboveRange == 0)
  }

  @Test func halvesAreRoundedToEvenAndBounded() throws {
    // 1 + 2^-11 lies between two halves, whose even one is 1; 2049 between 2048 and 2050.
    let values: [Float] = [1, 1 + 0x1p-11, 1 + 0x1.8p-10, 2049, 65_504, 65_505, 1e9, -70_000, -0.5]
    let (words, counts) = try store(values, .float16)
    #expect(
      words == [0x3C00, 0x3C00, 0x3C02, 0x6800, 0x7BFF, 0x7BFF, 0x7BFF, 0xFBFF, 0xB800]
    )
    #expect(counts.aboveRange == 2 && counts.belowRange == 1 && counts.negative == 2)
  }

  @Test func codesHaveAStep() throws {
    // 0.5 is 2 steps of 0.25, 0.625 is 2.5, whose even neighbour is 2.
    let values: [Float] = [0, 0.5, 0.625, 0.875, -0.2, -0.1, 16_383.75, 16_384, .nan]
    let (words, counts) = try store(values, .uint16(step: 0.25))
    #expect(words == [0, 2, 2, 4, 0, 0, 65_535, 65_535, 0])
    // -0.1 rounds to 0, which the format has.
    #expect(counts.belowRange == 1 && counts.aboveRange == 1)
    #expect(counts.negative == 2 && counts.notFinite == 1)
  }
}
