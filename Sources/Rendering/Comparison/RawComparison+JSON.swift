internal import Digest
package import JSON

extension RawComparison {
  package var json: JSONValue {
    .object(omittingAbsent: [
      "first": first.json,
      "second": second.json,
      "samples": samples?.json,
      "shapeDifference": shapeDifference.map { .string($0) },
      "isDemosaiced": .init(isDemosaiced),
      "tags": tags.map { .array($0.map(\.json)) },
    ])
  }

  /// - Throws: `JSONError` for a member that is absent or of another kind.
  package init(json: JSONValue) throws(JSONError) {
    var tags: [TagDifference]?
    if let stored = json["tags"], !stored.isNull {
      tags = []
      for tag in try json.requireArray("tags") { tags?.append(try TagDifference(json: tag)) }
    }
    var samples: SampleComparison?
    if let stored = json["samples"], !stored.isNull { samples = try SampleComparison(json: stored) }
    self.init(
      first: try File(json: json.require("first")),
      second: try File(json: json.require("second")),
      samples: samples,
      shapeDifference: try json.optional("shapeDifference", json.requireString),
      isDemosaiced: try json.requireBool("isDemosaiced"),
      tags: tags
    )
  }
}

extension RawComparison.File {
  fileprivate var json: JSONValue {
    .object(omittingAbsent: [
      "bytes": .init(byteCount), "sha256": .string(sha256.hex),
      "samplesSHA256": .string(samplesSHA256.hex), "bitsPerSample": .init(bitsPerSample),
      "warnings": warnings.isEmpty ? nil : .array(warnings.map { .string($0) }),
    ])
  }

  fileprivate init(json: JSONValue) throws(JSONError) {
    self.init(
      byteCount: try json.requireInteger("bytes"),
      sha256: try json.requireDigest("sha256"),
      samplesSHA256: try json.requireDigest("samplesSHA256"),
      bitsPerSample: try json.requireInteger("bitsPerSample"),
      warnings: (json["warnings"]?.arrayValue ?? []).compactMap(\.stringValue)
    )
  }
}

extension SampleComparison {
  package var json: JSONValue {
    .object(omittingAbsent: [
      "count": .init(count),
      "differing": .init(differing),
      "areStoredSamplesEqual": .init(areStoredSamplesEqual),
      "worstCodes": .init(worstCodes),
      "rmsCodes": .init(rmsCodes),
      "worstSigma": .init(worstSigma),
      "rmsSigma": .init(rmsSigma),
      "worstHalfSteps": .init(worstHalfSteps),
      "psnr": psnr.map { .init($0) },
    ])
  }

  /// - Throws: `JSONError` for a member that is absent or of another kind.
  package init(json: JSONValue) throws(JSONError) {
    self.init(
      count: try json.requireInteger("count", as: Int64.self),
      differing: try json.requireInteger("differing", as: Int64.self),
      areStoredSamplesEqual: try json.requireBool("areStoredSamplesEqual"),
      worstCodes: try json.requireDouble("worstCodes"),
      rmsCodes: try json.requireDouble("rmsCodes"),
      worstSigma: try json.requireDouble("worstSigma"),
      rmsSigma: try json.requireDouble("rmsSigma"),
      worstHalfSteps: try json.requireDouble("worstHalfSteps"),
      psnr: try json.optional("psnr", json.requireDouble)
    )
  }
}

extension TagDifference {
  package var json: JSONValue {
    .object(omittingAbsent: [
      "directory": .string(directory),
      "tag": .string(tag),
      "kind": .string(kind.rawValue),
      "isRecomputed": .init(isRecomputed),
      "first": first.map { .string($0) },
      "second": second.map { .string($0) },
    ])
  }

  /// - Throws: `JSONError` for a member that is absent or of another kind.
  package init(json: JSONValue) throws(JSONError) {
    let name = try json.requireString("kind")
    guard let kind = Kind(rawValue: name) else {
      throw .unexpectedKind(key: "kind", expected: "changed, missing or added", found: name)
    }
    self.init(
      directory: try json.requireString("directory"),
      tag: try json.requireString("tag"),
      kind: kind,
      isRecomputed: try json.requireBool("isRecomputed"),
      first: try json.optional("first", json.requireString),
      second: try json.optional("second", json.requireString)
    )
  }
}
