package import DNGFormat
internal import Digest
package import JSON

/// What a DNG output says of its samples.
package struct RawOutputReport: Equatable, Sendable {
  /// `losslessJPEG`, `none`, `deflate`, `jpegXL`, `lossyJPEG`; `copy` where the source's bytes are the
  /// output.
  package var compression: String
  package var isFloatingPoint: Bool
  /// Whether every sample has the source's code.
  package var isUnchanged: Bool
  /// NewRawImageDigest in hexadecimal digits.
  package var rawImageDigest: String?
  /// Of samples that got other codes.
  package var error: DNGSampleError?
  /// What of the source could not be kept, in words.
  package var leftOut: [String]

  package init(
    compression: String,
    isFloatingPoint: Bool = false,
    isUnchanged: Bool,
    rawImageDigest: String? = nil,
    error: DNGSampleError? = nil,
    leftOut: [String] = []
  ) {
    self.compression = compression
    self.isFloatingPoint = isFloatingPoint
    self.isUnchanged = isUnchanged
    self.rawImageDigest = rawImageDigest
    self.error = error
    self.leftOut = leftOut
  }

  init(_ report: DNGOutputReport, compression: String) {
    self.init(
      compression: compression,
      isFloatingPoint: report.isFloatingPoint,
      isUnchanged: report.isUnchanged,
      rawImageDigest: report.rawImageDigest?.hex,
      error: report.error,
      leftOut: report.leftOut
    )
  }

  package var json: JSONValue {
    .object(omittingAbsent: [
      "compression": .string(compression),
      "isFloatingPoint": .bool(isFloatingPoint),
      "isUnchanged": .bool(isUnchanged),
      "rawImageDigest": rawImageDigest.map { .string($0) },
      "error": error.map(\.json),
      "leftOut": .array(leftOut.map { .string($0) }),
    ])
  }

  /// - Throws: `JSONError` for a member that is absent or of another kind.
  package init(json: JSONValue) throws(JSONError) {
    var leftOut: [String] = []
    for item in try json.requireArray("leftOut") {
      guard let text = item.stringValue else {
        throw .unexpectedKind(key: "leftOut", expected: "strings", found: item.kindName)
      }
      leftOut.append(text)
    }
    self.init(
      compression: try json.requireString("compression"),
      isFloatingPoint: try json.requireBool("isFloatingPoint"),
      isUnchanged: try json.requireBool("isUnchanged"),
      rawImageDigest: try json.optional("rawImageDigest", json.requireString),
      error: try json.optional("error") { (key) throws(JSONError) in
        try DNGSampleError(json: json.require(key))
      },
      leftOut: leftOut
    )
  }
}

extension DNGSampleError {
  var json: JSONValue {
    [
      "worstStepInSigma": JSONValue(worstStepInSigma), "worstInCodes": JSONValue(worstInCodes),
      "rmsInCodes": JSONValue(rmsInCodes), "worstInSigma": JSONValue(worstInSigma),
      "rmsInSigma": JSONValue(rmsInSigma), "clippedCount": JSONValue(clippedCount),
    ]
  }

  init(json: JSONValue) throws(JSONError) {
    self.init(
      worstStepInSigma: try json.requireDouble("worstStepInSigma"),
      worstInCodes: try json.requireDouble("worstInCodes"),
      rmsInCodes: try json.requireDouble("rmsInCodes"),
      worstInSigma: try json.requireDouble("worstInSigma"),
      rmsInSigma: try json.requireDouble("rmsInSigma"),
      clippedCount: try json.requireInteger("clippedCount")
    )
  }
}
