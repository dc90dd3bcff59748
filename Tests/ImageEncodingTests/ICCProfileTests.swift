import ImageEncoding
import Testing

@Suite struct ICCProfileTests {
  /// ICC.1:2004-10 (4.2) 7.2: the header's fixed fields.
  @Test func headerSaysWhatItIs() throws {
    let bytes = try ICCProfile(.displayP3).bytes
    #expect(bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } == bytes.count)
    #expect(Array(bytes[8..<12]) == [4, 0x20, 0, 0])
    #expect(String(decoding: bytes[12..<24], as: UTF8.self) == "mntrRGB XYZ ")
    #expect(Array(bytes[24..<36]) == [0x07, 0xEA, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    #expect(String(decoding: bytes[36..<40], as: UTF8.self) == "acsp")
  }

  /// The columns of Display P3's matrix to XYZ D50 (SMPTE EG 432-1 primaries, D65, Bradford).
  @Test(arguments: [
    ("rXYZ", [0.51512, 0.24119, -0.00105]), ("gXYZ", [0.29198, 0.69224, 0.04188]),
    ("bXYZ", [0.15710, 0.06657, 0.78407]),
  ])
  func colorantsAreDisplayP3(tag: String, expected: [Double]) throws {
    let bytes = try ICCProfile(.displayP3).bytes
    let content = try #require(Self.tag(tag, of: bytes))
    let values = (0..<3).map { index in
      let fixed = content[8 + 4 * index..<12 + 4 * index].reduce(Int32(0)) {
        $0 << 8 | Int32($1)
      }
      return Double(fixed) / 65536
    }
    for (value, expected) in zip(values, expected) { #expect(abs(value - expected) < 2e-5) }
  }

  private static func tag(_ name: String, of profile: [UInt8]) -> [UInt8]? {
    func number(_ at: Int) -> Int { profile[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    for index in 0..<number(128) {
      let entry = 132 + 12 * index
      guard String(decoding: profile[entry..<entry + 4], as: UTF8.self) == name else { continue }
      return Array(profile[number(entry + 4)...].prefix(number(entry + 8)))
    }
    return nil
  }
}
