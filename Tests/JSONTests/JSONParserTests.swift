import JSON
import Testing

@Suite struct JSONParserTests {
  @Test func readsEveryKindOfValue() throws {
    let text = """
      {"a": [1, -2.5e3, true, false, null], "b": {"c": "x\\u00e9\\ud83d\\ude00\\n"}, "d": [], "e": {}}
      """
    let expected: JSONValue = [
      "a": [1, -2500, true, false, nil], "b": ["c": "xé😀\n"], "d": [], "e": [:],
    ]
    #expect(try JSONParser.parse(text) == expected)
  }

  @Test func keepsTheOrderOfMembers() throws {
    let value = try JSONParser.parse(#"{"z": 1, "a": 2}"#)
    #expect(value.objectValue?.map(\.key) == ["z", "a"])
  }

  @Test func keepsIntegersOf64BitsExactly() throws {
    guard case .integer(let largest) = try JSONParser.parse("9223372036854775807") else {
      Issue.record("not an integer")
      return
    }
    #expect(largest == .max)
    guard case .number(let beyond) = try JSONParser.parse("9223372036854775808") else {
      Issue.record("not a double")
      return
    }
    #expect(beyond == 9_223_372_036_854_775_808)
  }

  @Test func negativeZeroStaysADouble() throws {
    #expect(try JSONParser.parse("-0").doubleValue?.sign == .minus)
  }

  @Test(arguments: [
    ("", "line 1, column 1: the text ends where a value is expected"),
    ("{\"a\":1,\n\"é\":x}", "line 2, column 5: 'x' stands where a value is expected"),
    ("[1 2]", "line 1, column 4: '2' stands where a comma or ] is expected"),
    ("[1,]", "line 1, column 4: ']' stands where a value is expected"),
    ("{,}", "line 1, column 2: ',' stands where a key in quotes is expected"),
    ("{\"a\" 1}", "line 1, column 6: '1' stands where a colon is expected"),
    ("1 1", "line 1, column 3: '1' stands where the end of the text is expected"),
    ("{\"a\":1,\"a\":2}", "line 1, column 8: the key \"a\" stands twice"),
    ("[01]", "line 1, column 2: the number is not written as JSON numbers are"),
    ("-", "line 1, column 1: the number is not written as JSON numbers are"),
    ("1.", "line 1, column 1: the number is not written as JSON numbers are"),
    ("1e400", "line 1, column 1: 1e400 is beyond the range of a double"),
    ("\"\\x\"", "line 1, column 2: a backslash starts no escape sequence of JSON"),
    ("\"\\ud800\"", "line 1, column 2: an escape sequence is half of a surrogate pair"),
    ("\"\\ud800\\u0041\"", "line 1, column 2: an escape sequence is half of a surrogate pair"),
    ("\"\\udc00\"", "line 1, column 2: an escape sequence is half of a surrogate pair"),
    ("\"a\tb\"", "line 1, column 3: a control character stands in a string; it must be escaped"),
    ("\"a", "line 1, column 3: the text ends where a closing quote is expected"),
    ("nul", "line 1, column 1: 'n' stands where a value is expected"),
    ("[}", "line 1, column 2: '}' stands where a value is expected"),
    ("[1}", "line 1, column 3: '}' stands where a comma or ] is expected"),
    ("\u{FEFF}1", "line 1, column 1: '\u{FEFF}' stands where a value is expected"),
  ])
  func saysWhereAndWhatIsWrong(text: String, message: String) {
    #expect(throws: JSONError.self) { try JSONParser.parse(text) }
    do throws(JSONError) {
      _ = try JSONParser.parse(text)
    } catch {
      #expect(error.message == message)
    }
  }

  @Test func refusesTextThatIsNotUTF8() {
    let text: [UInt8] = [0x22, 0x61, 0xC3, 0xA9, 0xC3, 0x22]
    #expect(throws: JSONError.invalidUTF8(at: JSONPosition(offset: 4, in: text))) {
      try JSONParser.parse(text)
    }
  }

  @Test func spellingsOfOneLetterAreTwoKeys() throws {
    let value = try JSONParser.parse("{\"\u{E9}\": 1, \"e\u{301}\": 2}")
    #expect(value["\u{E9}"] == 1)
    #expect(value["e\u{301}"] == 2)
  }

  @Test func depthHasALimitAndNeedsNoStack() throws {
    let limits = JSONLimits(depth: 3)
    #expect(try JSONParser.parse("[[[1]]]", limits: limits) == [[[1]]])
    #expect(throws: JSONError.self) { try JSONParser.parse("[[[[1]]]]", limits: limits) }
    let deep = String(repeating: "[", count: 1_000_000)
    #expect(throws: JSONError.self) { try JSONParser.parse(deep) }
  }

  @Test func sizeHasALimit() {
    #expect(throws: JSONError.tooLarge(byteCount: 4, limit: 3)) {
      try JSONParser.parse("null", limits: JSONLimits(byteCount: 3))
    }
  }

  /// Random bytes over the alphabet of JSON end in a value or an error, and what is read reads back
  /// the same from its own text.
  @Test func anyBytesEndInAValueOrAnError() throws {
    var state: UInt64 = 0x5EED
    let alphabet = Array("{}[]\",:0123456789.-+eEtrufalsn\\ \n\u{E9}".utf8)
    var valueCount = 0
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(alphabet[Int((state >> 33) % UInt64(alphabet.count))])
        guard let value = try? JSONParser.parse(bytes) else { continue }
        valueCount += 1
        for style in [JSONStyle.compact, .pretty] {
          #expect(try JSONParser.parse(value.bytes(style)) == value)
        }
      }
    }
    #expect(valueCount > 100)
  }
}
