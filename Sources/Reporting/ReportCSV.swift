internal import Diagnostics
internal import Digest
package import JobModel
internal import ServiceRuntime

/// A report as CSV (RFC 4180): a line for each job.
package enum ReportCSV {
  /// The first line.
  package static let header =
    "job,input,outcome,attempt,host,seconds,pixels,input_bytes,output_bytes,peak_memory_bytes,"
    + "recipe_digest,engine_version,source_revision,pixel_version,code,message\r\n"

  /// The line of a job.
  package static func line(_ job: ReportedJob) -> String {
    var fields: [String] = [job.id.description, job.input.location.description]
    fields.append(job.outcome.map { String(describing: $0) } ?? "open")
    fields.append(String(job.attempt))
    let making = job.making
    fields.append(making?.host ?? "")
    fields.append(making.map { Quantity.fixed($0.seconds, decimals: 3) } ?? "")
    fields.append(making.map { String($0.pixels) } ?? "")
    fields.append(String(job.input.size))
    fields.append(String(job.outputBytes))
    fields.append(making.map { String($0.peakMemoryBytes) } ?? "")
    fields.append(job.recipe.hex)
    fields.append(making?.engineVersion ?? "")
    fields.append(making?.sourceRevision ?? "")
    fields.append(making.map { String($0.pixelVersion) } ?? "")
    fields.append(job.failure?.code.rawValue ?? "")
    fields.append(job.failure?.message ?? "")
    return fields.map(field).joined(separator: ",") + "\r\n"
  }

  /// A field in quotes where it needs them.
  ///
  /// Spreadsheets take text that begins with one of `=+-@` for a formula: it gets an apostrophe before
  /// it, which they take for text.
  static func field(_ text: String) -> String {
    var text = TerminalText.harmless(text)
    if let first = text.utf8.first, isFormulaStart(first), Double(text) == nil {
      text = "'" + text
    }
    guard text.utf8.contains(where: needsQuotes) else { return text }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }

  private static func isFormulaStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"): true
    default: false
    }
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
      UInt8(ascii: "'"):
      true
    default: false
    }
  }
}
