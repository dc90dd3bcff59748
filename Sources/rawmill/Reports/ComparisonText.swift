internal import Digest
internal import Rendering
internal import ServiceRuntime

/// A comparison of two raws for people.
enum ComparisonText {
  static func lines(
    of comparison: RawComparison,
    _ tolerance: SampleTolerance,
    isWithin: Bool
  ) -> [String] {
    var lines = [samples(comparison)]
    if let samples = comparison.samples, !samples.areEqual {
      lines.append(
        "worst error: \(number(samples.worstCodes)) codes, \(number(samples.worstSigma)) sigma, "
          + "\(number(samples.worstHalfSteps / 2)) steps"
      )
      lines.append(
        "RMS error: \(number(samples.rmsCodes)) codes, \(number(samples.rmsSigma)) sigma"
      )
      if let psnr = samples.psnr { lines.append("PSNR: \(number(psnr)) dB") }
      if tolerance != .equal {
        lines.append("\(isWithin ? "within" : "not within") the tolerance \(tolerance)")
      }
    }
    lines.append(
      "size: \(comparison.first.byteCount) and \(comparison.second.byteCount) bytes"
        + (comparison.first.byteCount > 0
          ? " (\(Quantity.fixed(100 * ratio(comparison), decimals: 1)) %)" : "")
    )
    for (name, file) in [("original", comparison.first), ("copy", comparison.second)] {
      lines += file.warnings.map { "\(name): \(TerminalText.harmless($0))" }
    }
    return lines + tags(comparison.tags)
  }

  private static func ratio(_ comparison: RawComparison) -> Double {
    Double(comparison.second.byteCount) / Double(comparison.first.byteCount)
  }

  private static func samples(_ comparison: RawComparison) -> String {
    guard let samples = comparison.samples else {
      return "samples: not comparable, \(comparison.shapeDifference ?? "of another shape")"
    }
    if comparison.isDemosaiced, samples.areEqual {
      return "samples: equal to the demosaiced original's, all \(samples.count)"
    }
    if samples.areStoredSamplesEqual, samples.areEqual {
      return "samples: equal, all \(samples.count)"
    }
    if samples.areEqual { return "samples: equal as linear codes, all \(samples.count)" }
    return "samples: \(samples.differing) of \(samples.count) differ"
  }

  private static func tags(_ tags: [TagDifference]?) -> [String] {
    guard let tags else { return ["tags: not comparable, no TIFF structure"] }
    if tags.isEmpty { return ["tags: all the same"] }
    var lines: [String] = []
    for (isRecomputed, title) in [
      (false, "tags that differ:"), (true, "tags of the coding that differ:"),
    ] {
      let group = tags.filter { $0.isRecomputed == isRecomputed }
      if group.isEmpty { continue }
      lines.append(title)
      for tag in group {
        let values = "\(tag.first ?? "absent") -> \(tag.second ?? "absent")"
        lines.append("  \(tag.directory) \(tag.tag): \(TerminalText.harmless(values))")
      }
    }
    return lines
  }

  /// Four significant digits.
  private static func number(_ value: Double) -> String {
    if value >= 1_000 { return Quantity.fixed(value, decimals: 0) }
    if value >= 10 { return Quantity.fixed(value, decimals: 2) }
    return Quantity.fixed(value, decimals: 4)
  }
}
