package import FileSystem

/// How the text of an argument becomes a value.
package struct ArgumentConversion<Value: Sendable>: Sendable {
  /// What is accepted, in words for an error: "a whole number from 1 to 64".
  package let expectation: String
  /// The value of an argument's bytes, nil for what is not accepted.
  package let convert: @Sendable ([UInt8]) -> Value?

  package init(_ expectation: String, _ convert: @escaping @Sendable ([UInt8]) -> Value?) {
    self.expectation = expectation
    self.convert = convert
  }
}

extension ArgumentConversion where Value == FilePath {
  /// A path: any bytes but none at all.
  package static var path: ArgumentConversion<FilePath> {
    .init("a path") { $0.isEmpty ? nil : FilePath(bytes: $0) }
  }
}

extension ArgumentConversion where Value == String {
  package static var text: ArgumentConversion {
    .init("UTF-8 text") { String(validating: $0, as: UTF8.self) }
  }
}

extension ArgumentConversion where Value == Int {
  /// A whole number in decimal digits.
  package static func integer(_ range: ClosedRange<Int>) -> ArgumentConversion {
    .init("a whole number from \(range.lowerBound) to \(range.upperBound)") { bytes in
      guard let text = String(validating: bytes, as: UTF8.self), let number = Int(text) else {
        return nil
      }
      return range.contains(number) ? number : nil
    }
  }
}

extension ArgumentConversion where Value == Double {
  /// A number in decimal digits, with or without a fraction.
  package static func decimal(_ range: ClosedRange<Double>) -> ArgumentConversion {
    .init("a number from \(range.lowerBound) to \(range.upperBound)") { bytes in
      guard bytes.allSatisfy({ "0123456789.-".utf8.contains($0) }),
        let number = Double(String(decoding: bytes, as: UTF8.self))
      else { return nil }
      return range.contains(number) ? number : nil
    }
  }
}

extension ArgumentConversion where Value: CaseIterable & RawRepresentable<String> {
  /// One of the words of an enum.
  package static var choice: ArgumentConversion {
    .init(Value.allCases.map(\.rawValue).joined(separator: ", ")) { bytes in
      String(validating: bytes, as: UTF8.self).flatMap { Value(rawValue: $0) }
    }
  }
}
