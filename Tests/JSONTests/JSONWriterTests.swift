import JSON
import Testing

@Suite struct JSONWriterTests {
  /// RFC 8785, appendix B: bits of a double and its text.
  @Test(
    arguments: [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"),
      (0x0000_0000_0000_0001, "5e-324"), (0x8000_0000_0000_0001, "-5e-324"),
      (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
      (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
      (0x4340_0000_0000_0000, "9007199254740992"), (0xC340_0000_0000_0000, "-9007199254740992"),
      (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
      (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
      (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
      (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
      (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
      (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
      (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
      (0x41B3_DE43_5555_5557, "333333333.33333343"),
      (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
      (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ] as [(UInt64, String)]
  )
  func writesNumbersAsECMAScript(bits: UInt64, text: String) {
    #expect(JSONValue.number(Double(bitPattern: bits)).text(.canonical) == text)
  }

  /// RFC 8785, section 3.2.3.
  @Test func sortsKeysByUTF16() throws {
    let value = try JSONParser.parse(
      #"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#
    )
    #expect(
      value.text(.canonical)
        == "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{FB33}\":3}"
    )
  }

  /// RFC 8785, section 3.2.2.
  @Test func writesTheCanonicalFormOfTheRFC() throws {
    let text = #"""
      {"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
       "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}
      """#
    #expect(
      try JSONParser.parse(text).text(.canonical)
        == #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
        + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"
    )
  }

  @Test func everyDoubleReadsBack() throws {
    var state: UInt64 = 0xD0_0B1E
    for _ in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = Double(bitPattern: state ^ state >> 29)
      guard number.isFinite else { continue }
      #expect(Double(number.ecmaScriptText) == number)
    }
  }

  @Test func writesPretty() {
    let value: JSONValue = ["a": [1, "x"], "b": [:], "c": [], "d": ["e": nil]]
    #expect(
      value.text(.pretty) == """
        {
          "a": [
            1,
            "x"
          ],
          "b": {},
          "c": [],
          "d": {
            "e": null
          }
        }
        """
    )
  }

  @Test func whatIsNotFiniteIsNull() {
    #expect(JSONValue(Double.nan).isNull)
    #expect(JSONValue.number(.infinity).text() == "null")
  }
}
