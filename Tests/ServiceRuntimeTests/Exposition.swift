/// A strict reader of Prometheus' text format, version 0.0.4, written from its description
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
struct Exposition {
  struct Sample: Equatable {
    var name: String
    var labels: [String: String]
    var value: Double
  }

  struct ParseError: Error {
    var line: String
    var reason: String
  }

  /// Kind by family name.
  private(set) var kinds: [String: String] = [:]
  private(set) var samples: [Sample] = []

  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    samples.first { $0.name == name && $0.labels == labels }?.value
  }

  init(_ text: String) throws {
    guard text.isEmpty || text.hasSuffix("\n") else {
      throw ParseError(line: text, reason: "no line feed at the end")
    }
    var family = ""
    var seen: Set<String> = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("# HELP ") {
        family = String(line.dropFirst(7).prefix { $0 != " " })
        continue
      }
      if line.hasPrefix("# TYPE ") {
        let words = line.split(separator: " ")
        guard words.count == 4, words[2] == family, seen.insert(family).inserted else {
          throw ParseError(line: String(line), reason: "TYPE follows its HELP, once")
        }
        kinds[family] = String(words[3])
        continue
      }
      let sample = try Self.sample(String(line))
      let suffixes = kinds[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
      guard suffixes.contains(where: { sample.name == family + $0 }) else {
        throw ParseError(line: String(line), reason: "a sample outside its family")
      }
      if samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) {
        throw ParseError(line: String(line), reason: "a sample twice")
      }
      samples.append(sample)
    }
  }

  private static func sample(_ line: String) throws -> Sample {
    var rest = Substring(line)
    let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    rest = rest.dropFirst(name.count)
    var labels: [String: String] = [:]
    if rest.first == "{" {
      rest = rest.dropFirst()
      while rest.first != "}" {
        let label = rest.prefix { $0 != "=" }
        rest = rest.dropFirst(label.count)
        guard rest.hasPrefix("=\""), !label.isEmpty else {
          throw ParseError(line: line, reason: "a label")
        }
        rest = rest.dropFirst(2)
        var value = ""
        while let character = rest.first, character != "\"" {
          rest = rest.dropFirst()
          guard character == "\\" else {
            value.append(character)
            continue
          }
          switch rest.popFirst() {
          case "\\": value.append("\\")
          case "n": value.append("\n")
          case "\"": value.append("\"")
          default: throw ParseError(line: line, reason: "an escape")
          }
        }
        guard rest.popFirst() == "\"", labels.updateValue(value, forKey: String(label)) == nil
        else {
          throw ParseError(line: line, reason: "the end of a label")
        }
        if rest.first == "," { rest = rest.dropFirst() }
      }
      rest = rest.dropFirst()
    }
    guard !name.isEmpty, rest.first == " " else { throw ParseError(line: line, reason: "a name") }
    let text = rest.dropFirst()
    let special: [Substring: Double] = ["+Inf": .infinity, "-Inf": -.infinity, "NaN": .nan]
    guard let value = special[text] ?? Double(text) else {
      throw ParseError(line: line, reason: "a value")
    }
    return Sample(name: String(name), labels: labels, value: value)
  }
}
