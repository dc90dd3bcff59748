internal import JSON
package import JobModel
package import Rendering

/// An output with the comparison that proves it, as it crosses a crash.
package struct ProvenOutput: Equatable, Sendable {
  package var outputID: String
  package var verdict: ProofVerdict
  package var comparison: RawComparison

  package init(outputID: String, verdict: ProofVerdict, comparison: RawComparison) {
    self.outputID = outputID
    self.verdict = verdict
    self.comparison = comparison
  }

  /// What is committed; nil for shapes that have no counterparts, which no verdict is about.
  package var record: ProofRecord? {
    ProofRecord(outputID: outputID, verdict: verdict, comparison: comparison)
  }

  var json: JSONValue {
    [
      "outputID": .string(outputID), "verdict": .string(verdict.rawValue),
      "comparison": comparison.json,
    ]
  }

  init(json: JSONValue) throws(JSONError) {
    let name = try json.requireString("verdict")
    guard let verdict = ProofVerdict(rawValue: name) else {
      throw .unexpectedKind(key: "verdict", expected: "a verdict", found: name)
    }
    self.init(
      outputID: try json.requireString("outputID"),
      verdict: verdict,
      comparison: try RawComparison(json: json.require("comparison"))
    )
  }
}
