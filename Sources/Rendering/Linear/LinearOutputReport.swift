internal import Develop
package import JSON

/// What a linear output says of its samples.
package struct LinearOutputReport: Equatable, Sendable {
  /// The recipe's level.
  package var level: String
  /// The recipe's colour space.
  package var colorSpace: String
  /// `float32`, `float16` or `uint16`.
  package var sampleFormat: String
  /// SHA-256 of the samples in row order, interleaved, little endian, in hexadecimal digits.
  package var samplesSHA256: String
  /// Samples below 0.
  package var negativeCount: Int
  /// Samples that the format could not hold, and that have its smallest or largest value.
  package var clippedCount: Int

  package init(
    level: String,
    colorSpace: String,
    sampleFormat: String,
    samplesSHA256: String,
    negativeCount: Int,
    clippedCount: Int
  ) {
    self.level = level
    self.colorSpace = colorSpace
    self.sampleFormat = sampleFormat
    self.samplesSHA256 = samplesSHA256
    self.negativeCount = negativeCount
    self.clippedCount = clippedCount
  }

  package var json: JSONValue {
    [
      "level": .string(level), "colorSpace": .string(colorSpace),
      "sampleFormat": .string(sampleFormat), "samplesSHA256": .string(samplesSHA256),
      "negativeCount": JSONValue(negativeCount), "clippedCount": JSONValue(clippedCount),
    ]
  }

  /// - Throws: `JSONError` for a member that is absent or of another kind.
  package init(json: JSONValue) throws(JSONError) {
    self.init(
      level: try json.requireString("level"),
      colorSpace: try json.requireString("colorSpace"),
      sampleFormat: try json.requireString("sampleFormat"),
      samplesSHA256: try json.requireString("samplesSHA256"),
      negativeCount: try json.requireInteger("negativeCount"),
      clippedCount: try json.requireInteger("clippedCount")
    )
  }
}
