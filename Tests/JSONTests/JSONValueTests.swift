import Diagnostics
import JSON
import Testing

@Suite struct JSONValueTests {
  @Test func equalityIsOfMeaning() {
    #expect(["a": 1, "b": 2] as JSONValue == ["b": 2.0, "a": 1])
    #expect(["a": 1] as JSONValue != ["a": 1, "b": 2])
    #expect(["a": 1, "c": 2] as JSONValue != ["a": 1, "b": 2])
    #expect([1, 2] as JSONValue != [2, 1])
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    #expect(JSONValue.integer(9_007_199_254_740_993) != .number(9_007_199_254_740_992))
  }

  @Test func membersAreRequiredWithTheirKind() throws {
    let value: JSONValue = ["n": 300, "s": "x", "none": nil, "f": 1.5]
    #expect(try value.requireInteger("n") == 300)
    #expect(try value.requireString("s") == "x")
    #expect(try value.requireDouble("n") == 300)
    #expect(try value.optional("none", value.requireString) == nil)
    #expect(try value.optional("absent", value.requireString) == nil)
    #expect(throws: JSONError.missingMember(key: "absent")) { try value.requireString("absent") }
    #expect(throws: JSONError.self) { try value.requireInteger("n", as: UInt8.self) }
    #expect(throws: JSONError.self) { try value.requireInteger("f") }
    #expect(throws: JSONError.unexpectedKind(key: "s", expected: "an array", found: "a string")) {
      try value.requireArray("s")
    }
  }

  @Test func absentMembersAreLeftOut() {
    let absent: JSONValue? = nil
    #expect(JSONValue.object(omittingAbsent: ["a": 1, "b": absent]).text() == #"{"a":1}"#)
  }

  @Test func membersAreReplacedInPlace() {
    #expect((["a": 1, "b": 2] as JSONValue).setting("a", 3).text() == #"{"a":3,"b":2}"#)
    #expect(([:] as JSONValue).setting("a", 3).text() == #"{"a":3}"#)
  }

  @Test func everyErrorHasItsCode() {
    let at = JSONPosition(offset: 0, in: [])
    let codes: [(JSONError, ErrorCode)] = [
      (.tooLarge(byteCount: 2, limit: 1), "jsonTooLarge"),
      (.tooDeep(limit: 1, at: at), "jsonTooDeep"),
      (.invalidUTF8(at: at), "jsonInvalidUTF8"),
      (.unexpected(found: nil, expected: "", at: at), "jsonSyntax"),
      (.invalidEscape(at: at), "jsonInvalidEscape"), (.loneSurrogate(at: at), "jsonLoneSurrogate"),
      (.controlCharacterInString(at: at), "jsonControlCharacter"),
      (.invalidNumber(at: at), "jsonInvalidNumber"),
      (.numberOutOfRange(text: "", at: at), "jsonNumberOutOfRange"),
      (.duplicateKey("", at: at), "jsonDuplicateKey"),
      (.missingMember(key: ""), "jsonMissingMember"),
      (.unexpectedKind(key: "", expected: "", found: ""), "jsonUnexpectedKind"),
    ]
    for (error, code) in codes {
      #expect(error.code == code)
      #expect(error.disposition == .permanent)
    }
  }
}
