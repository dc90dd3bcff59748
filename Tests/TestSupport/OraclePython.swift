package import FileSystem
internal import ProcessControl
package import Testing

/// The Python interpreter with the packages that tests compare with.
///
/// `RAWMILL_ORACLE_PYTHON` names it. Tests that need it are skipped without:
/// `@Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))`. The scripts stand in
/// `Tests/Oracles`.
package enum OraclePython {
  package static let interpreter: FilePath? =
    SystemInformation.environment("RAWMILL_ORACLE_PYTHON").map { FilePath($0) }

  package static var isAvailable: Bool { interpreter != nil }

  /// Why a test was skipped.
  package static let missingComment: Comment =
    "no oracle Python: set RAWMILL_ORACLE_PYTHON to an interpreter with the packages of Tests/Oracles"

  /// Runs a script of `Tests/Oracles` and returns what it printed.
  ///
  /// - Throws: `ProgramRunError` unless it ends with exit code 0 in time.
  package static func run(
    _ script: String,
    arguments: [String],
    timeout: Duration = .seconds(120)
  ) throws -> String {
    guard let interpreter else { throw ProgramRunError.noInterpreter }
    let path = PackageFolder.path("Tests/Oracles/\(script)")
    let run = try ProgramRun.run(
      interpreter,
      arguments: [path.bytes] + arguments.map { Array($0.utf8) },
      timeout: timeout
    )
    guard run.exit.isSuccess else {
      throw ProgramRunError.failed(reason: "\(run.exit.reason)", standardError: run.errorText)
    }
    return run.outputText
  }
}
