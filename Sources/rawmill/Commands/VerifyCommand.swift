internal import DNGFormat
internal import FileSystem
internal import JSON
internal import Rendering
internal import ServiceRuntime
internal import Worker

/// `rawmill verify`: whether the samples of two raws are equal, or how far apart.
enum VerifyCommand: Command {
  static let first = Positional("original", .path, "The original raw.")
  static let second = Positional("copy", .path, "What was made of it.")
  static let tolerance = Option(
    "--tolerance",
    "bound",
    .tolerance,
    "What still counts as equal: a number of codes (4), a ratio (60dB), steps (0.5step), or step."
  )

  static let demosaic = Flag(
    "--demosaic",
    "Compare the copy with the original demosaiced, as 'linear: true' stores it."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("verify", "Compare two raws: their samples, and what the files say.")
      .discussion(
        """
        Both are decoded in a process of its own and compared as linear codes, after their \
        linearization tables. Errors are counted in codes of the original and in standard \
        deviations of its noise; '60dB' is a peak signal-to-noise ratio, '0.5step' half the step \
        between neighbouring codes of the copy. 'step' allows what giving samples the copy's bit \
        depth leaves: half a step for rounding, and a whole one where the copy has 8 bits, which \
        are dithered. Tags that differ are listed, and do \
        not count. '--digest-policy warn' takes an original that has another digest than it states; \
        the copy must have its own, unless it is the original's very bytes.

        Exit code 0 only if the samples are equal or within the tolerance, else 1.
        """
      )
      .positional(first).positional(second).option(tolerance).option(CommonOptions.threads)
      .option(CommonOptions.digestPolicy).flag(demosaic).flag(json)
  }

  static let json = Flag("--json", "Print one JSON object.")

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let original = try arguments.requireValue(first)
    let copy = try arguments.requireValue(second)
    let stated = arguments[tolerance] ?? .fixed(.equal)
    let threads = arguments[CommonOptions.threads] ?? ProcessorBudget.current.threadCount
    let comparison: RawComparison
    do throws(WorkerError) {
      comparison = try Interruption.stopping(
        OneShot(launch: ChildLaunch(digestPolicy: arguments[CommonOptions.digestPolicy] ?? .error))
      ).compare(
        original,
        copy,
        demosaics: arguments[demosaic],
        threads: threads
      ).comparison
    } catch {
      throw .picture(copy, error)
    }
    let bound = stated.ofCopy(bits: comparison.second.bitsPerSample)
    let isWithin = comparison.samples.map(bound.allows) ?? false
    if arguments[json] {
      let verdict: JSONValue = [
        "original": .init(original), "copy": .init(copy), "tolerance": .string(bound.description),
        "isWithinTolerance": .init(isWithin),
      ]
      let members = (verdict.objectValue ?? []) + (comparison.json.objectValue ?? [])
      program.standardOutput.writeLine(JSONValue.object(members).text())
    } else {
      for line in ComparisonText.lines(of: comparison, bound, isWithin: isWithin) {
        program.standardOutput.writeLine(line)
      }
    }
    return isWithin ? .success : .someFailed
  }
}

extension ArgumentConversion where Value == StatedTolerance {
  static var tolerance: ArgumentConversion {
    .init("a number of codes (4), a ratio (60dB), steps (0.5step) or step") { bytes in
      String(validating: bytes, as: UTF8.self).flatMap { StatedTolerance($0) }
    }
  }
}
