import DatabaseTestSupport
import EmbeddedPostgres
import FileSystem
import Foundation
import PostgresClient

/// The plans of all statements that a script runs in one session, those inside functions too.
///
/// A function's statements are planned inside it, with its settings: EXPLAIN does not see them, the
/// extension auto_explain does.
struct NestedPlans {
  /// What psql printed.
  let output: String
  /// One text for each statement: its query, then its plan.
  let plans: [String]

  var count: Int { plans.count }

  /// Those of statements inside functions; a script's own, which say so, are none of the protocol's.
  var nested: [String] { plans.filter { !$0.contains(";\n") && !$0.contains("script") } }

  init(_ database: TestDatabase, script: String) throws {
    let process = Process()
    let psql = try PostgresPrograms.find()[0].folder.appending("psql")
    process.executableURL = URL(fileURLWithPath: psql.displayText)
    process.arguments = [
      "-X", "-q", "-v", "ON_ERROR_STOP=1", database.address.connectionInfo ?? "",
    ]
    let input = Pipe()
    let answer = Pipe()
    process.standardInput = input
    process.standardOutput = answer
    process.standardError = answer
    try process.run()
    let settings = """
      SET search_path = \(database.schema);
      LOAD 'auto_explain';
      SET auto_explain.log_min_duration = 0;
      SET auto_explain.log_nested_statements = on;
      SET client_min_messages = log;

      """
    input.fileHandleForWriting.write(Data((settings + script).utf8))
    try input.fileHandleForWriting.close()
    let text = String(decoding: answer.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw FixtureError.impossibleState(text) }
    output = text
    plans = text.components(separatedBy: "LOG:  duration: ").dropFirst().map { $0 + "\n" }
  }
}
