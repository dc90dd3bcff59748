internal import Diagnostics
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// What a `run` came to.
struct RunTotals: Sendable {
  /// Pictures that failed with one message.
  struct Reason: Sendable {
    var code: ErrorCode
    var message: String
    /// In the order of submission.
    var inputs: [String]
  }

  var done = 0
  var doneBefore = 0
  var otherFiles = 0
  /// In the order in which they came.
  var reasons: [Reason] = []
  var cancelled = 0
  /// Jobs that were not finished when the run was stopped.
  var unfinished = 0
  var pixels: Int64 = 0
  var inputBytes: Int64 = 0
  var outputBytes: Int64 = 0
  var elapsed: Duration = .zero
  /// Outputs that store their input's samples anew, by what was proven of them.
  var proofs: [JobStore.ProofSum] = []

  var failed: Int { reasons.reduce(0) { $0 + $1.inputs.count } }

  /// Adds one picture that failed.
  mutating func addFailure(_ input: String, _ code: ErrorCode, _ message: String) {
    if let index = reasons.firstIndex(where: { $0.code == code && $0.message == message }) {
      reasons[index].inputs.append(input)
    } else {
      reasons.append(Reason(code: code, message: message, inputs: [input]))
    }
  }

  /// How many failed with each code, the most frequent first.
  private var failuresByCode: [(code: ErrorCode, count: Int)] {
    let counts = reasons.reduce(into: [:]) { $0[$1.code, default: 0] += $1.inputs.count }
    return counts.map { (code: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.code.rawValue) < ($0.count, $1.code.rawValue) }
  }

  /// The table at the end, for people.
  func lines(place: String) -> [String] {
    var lines: [String] = []
    var table = TextTable([("", .leading), ("", .trailing), ("", .leading)])
    let seconds = elapsed / .seconds(1)
    if done > 0 {
      let megapixels = Double(pixels) / 1e6
      let rate = seconds > 0 ? ", \(Quantity.rate(megapixels / seconds)) MP/s" : ""
      table.add([
        "done", String(done),
        "\(Quantity.fixed(megapixels, decimals: 0)) MP in \(Quantity.duration(elapsed))\(rate)",
      ])
      table.add(["", "", "\(Quantity.bytes(inputBytes)) in, \(Quantity.bytes(outputBytes)) out"])
    }
    for proof in proofs {
      table.add([proof.verdict.rawValue, String(proof.count), Self.text(proof)])
    }
    if doneBefore > 0 { table.add(["done before", String(doneBefore), "nothing to do for them"]) }
    for (code, count) in failuresByCode { table.add(["failed", String(count), code.rawValue]) }
    if cancelled > 0 { table.add(["cancelled", String(cancelled)]) }
    if unfinished > 0 {
      table.add(["not finished", String(unfinished), "the same command goes on with them"])
    }
    if otherFiles > 0 { table.add(["no raws", String(otherFiles), "left out"]) }
    lines += table.lines()
    for reason in reasons {
      lines.append("")
      lines.append("\(TerminalText.harmless(reason.message)) [\(reason.code)]")
      lines += reason.inputs.map { "  \(TerminalText.harmless($0))" }
    }
    if done > 0 || doneBefore > 0, !place.isEmpty {
      lines += ["", place.prefix(1).uppercased() + place.dropFirst()]
    }
    return lines
  }

  private static func text(_ proof: JobStore.ProofSum) -> String {
    let sizes = "\(Quantity.bytes(proof.inputBytes)) to \(Quantity.bytes(proof.outputBytes))"
    switch proof.verdict {
    case .identical: return "stored samples the same, \(sizes)"
    case .equal: return "linear codes the same, \(sizes)"
    case .nearest, .ratio:
      let worst = Quantity.rate(proof.worstCodes)
      return "off by at most \(worst) codes, \(Quantity.rate(proof.worstSigma)) sigma, \(sizes)"
    case .kept: return "kept as they are, which is smaller"
    }
  }

  /// The same for programs.
  var json: [(key: String, value: JSONValue)] {
    let seconds = elapsed / .seconds(1)
    let megapixels = Double(pixels) / 1e6
    return [
      ("done", .init(done)), ("doneBefore", .init(doneBefore)), ("failed", .init(failed)),
      ("cancelled", .init(cancelled)), ("unfinished", .init(unfinished)),
      ("otherFiles", .init(otherFiles)), ("megapixels", .init(megapixels)),
      ("seconds", .init(seconds)),
      ("megapixelsPerSecond", .init(seconds > 0 ? megapixels / seconds : 0)),
      ("inputBytes", .init(inputBytes)), ("outputBytes", .init(outputBytes)),
      (
        "proofs",
        .array(
          proofs.map { proof in
            [
              "verdict": .string(proof.verdict.rawValue), "count": .init(proof.count),
              "inputBytes": .init(proof.inputBytes), "outputBytes": .init(proof.outputBytes),
              "worstCodes": .init(proof.worstCodes), "worstSigma": .init(proof.worstSigma),
            ]
          }
        )
      ),
      (
        "reasons",
        .array(
          reasons.map { reason in
            [
              "code": .string(reason.code.rawValue), "message": .string(reason.message),
              "inputs": .array(reason.inputs.map { .string($0) }),
            ]
          }
        )
      ),
    ]
  }
}
