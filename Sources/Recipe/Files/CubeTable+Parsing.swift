extension CubeTable {
  /// Reads a `.cube` text strictly: keywords first, then exactly the colours that the size asks for.
  ///
  /// - Throws: The first thing that is wrong.
  package init(_ text: [UInt8]) throws(CubeTableError) {
    var parser = CubeParser()
    var start = 0
    var line = 1
    // Editors on some systems start UTF-8 text with a byte order mark.
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    while start < text.count {
      var end = start
      while end < text.count && text[end] != UInt8(ascii: "\n") { end += 1 }
      try parser.take(text[start..<end], line: line)
      start = end + 1
      line += 1
    }
    self = try parser.table()
  }
}

/// A `.cube` text, line by line.
private struct CubeParser {
  private var kind: CubeTable.Kind?
  private var size = 0
  private var minimum = SIMD3<Float>.zero
  private var maximum = SIMD3<Float>.one
  private var colors: [SIMD3<Float>] = []
  private var hasTitle = false

  private var expectedCount: Int { kind == .cube ? size * size * size : size }

  mutating func take(_ bytes: ArraySlice<UInt8>, line: Int) throws(CubeTableError) {
    func failure(_ reason: String) -> CubeTableError { CubeTableError(line: line, reason: reason) }
    let words = bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == 13 }
    guard let first = words.first, first.first != UInt8(ascii: "#") else { return }
    let isNumber = first.first.map { Self.startsNumber($0) } ?? false
    if isNumber {
      guard let kind else { throw failure("colours come before LUT_1D_SIZE or LUT_3D_SIZE") }
      guard colors.count < expectedCount else {
        throw failure(
          "more than the \(expectedCount) colours of a \(kind == .cube ? "cube" : "curve") of \(size)"
        )
      }
      colors.append(try Self.triple(words, failure))
      return
    }
    let keyword = String(decoding: first, as: UTF8.self)
    guard colors.isEmpty else { throw failure("\(Self.shown(keyword)) after the first colour") }
    let values = Array(words.dropFirst())
    switch keyword {
    case "TITLE":
      guard !hasTitle else { throw failure("a second TITLE") }
      hasTitle = true
    case "LUT_1D_SIZE": try setSize(.curves, values, 2...65_536, failure)
    case "LUT_3D_SIZE": try setSize(.cube, values, 2...256, failure)
    case "DOMAIN_MIN": minimum = try Self.triple(values, failure)
    case "DOMAIN_MAX": maximum = try Self.triple(values, failure)
    case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
      guard values.count == 2, let low = Self.number(values[0]), let high = Self.number(values[1])
      else { throw failure("\(keyword) needs two numbers") }
      minimum = SIMD3(repeating: low)
      maximum = SIMD3(repeating: high)
    default:
      throw failure("unknown keyword \(Self.shown(keyword))")
    }
  }

  private mutating func setSize(
    _ kind: CubeTable.Kind,
    _ values: [ArraySlice<UInt8>],
    _ range: ClosedRange<Int>,
    _ failure: (String) -> CubeTableError
  ) throws(CubeTableError) {
    guard self.kind == nil else { throw failure("a second size") }
    let text = values.count == 1 ? String(decoding: values[0], as: UTF8.self) : ""
    guard let size = Int(text), range.contains(size) else {
      throw failure("the size must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    self.kind = kind
    self.size = size
  }

  func table() throws(CubeTableError) -> CubeTable {
    guard let kind else {
      throw CubeTableError(line: nil, reason: "has neither LUT_1D_SIZE nor LUT_3D_SIZE")
    }
    guard colors.count == expectedCount else {
      throw CubeTableError(
        line: nil,
        reason: "ends after \(colors.count) of \(expectedCount) colours"
      )
    }
    for channel in 0..<3 where !(minimum[channel] < maximum[channel]) {
      throw CubeTableError(
        line: nil,
        reason: "its domain is empty: DOMAIN_MIN is not below DOMAIN_MAX"
      )
    }
    return CubeTable(
      kind: kind,
      size: size,
      domainMinimum: minimum,
      domainMaximum: maximum,
      colors: colors
    )
  }

  private static func triple(
    _ words: [ArraySlice<UInt8>],
    _ failure: (String) -> CubeTableError
  ) throws(CubeTableError) -> SIMD3<Float> {
    guard words.count == 3 else {
      throw failure("expected three numbers, found \(words.count) words")
    }
    var result = SIMD3<Float>()
    for channel in 0..<3 {
      guard let number = number(words[channel]) else {
        let word = String(decoding: words[channel], as: UTF8.self)
        throw failure("\(shown(word)) is no number")
      }
      result[channel] = number
    }
    return result
  }

  private static func startsNumber(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
  }

  /// A decimal number, finite as a float.
  private static func number(_ word: ArraySlice<UInt8>) -> Float? {
    // Double's own reader also takes hexadecimal, infinities and words.
    let isDecimal = word.allSatisfy {
      startsNumber($0) || $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E")
    }
    guard isDecimal, word.count <= 64 else { return nil }
    let value = short(word) ?? Double(String(decoding: word, as: UTF8.self))
    guard let value, Float(value).isFinite else { return nil }
    return Float(value)
  }

  /// Numbers of the usual form, `0.123456`, without a detour through text: up to 15 digits, whose
  /// quotient by an exact power of ten is correctly rounded.
  private static func short(_ word: ArraySlice<UInt8>) -> Double? {
    guard word.count <= 16 else { return nil }
    var digits: UInt64 = 0
    var count = 0
    var decimals: Int?
    for byte in word {
      if byte == UInt8(ascii: "."), decimals == nil {
        decimals = 0
        continue
      }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
      count += 1
      decimals = decimals.map { $0 + 1 }
    }
    guard (1...15).contains(count) else { return nil }
    var power = 1.0
    for _ in 0..<(decimals ?? 0) { power *= 10 }
    return Double(digits) / power
  }

  private static func shown(_ word: String) -> String {
    word.count > 40 ? "\(word.prefix(40))…" : word
  }
}
