/// How a session behaves; sent to the server when the connection opens.
package struct SessionSettings: Equatable, Sendable {
  /// Shown by `pg_stat_activity`.
  package var applicationName: String
  /// Schemas in which unqualified names are looked up; nil: the server's default.
  package var searchPath: String?
  /// A statement that takes longer is cancelled; 0: never.
  package var statementTimeoutMilliseconds: Int
  /// A statement that waits longer for a lock fails; 0: never.
  package var lockTimeoutMilliseconds: Int
  /// A transaction that stands idle longer is ended, so that it can't hold back vacuum; 0: never.
  ///
  /// So long, too, does a process that was stopped (SIGSTOP) inside a transaction hold its locks.
  package var idleInTransactionTimeoutMilliseconds: Int
  /// How much longer than a statement's timeout the server may be silent before the connection is given up.
  ///
  /// The server ends a statement at its timeout; one that says nothing so long after it is frozen.
  package var answerMarginMilliseconds: Int
  /// Whether a commit waits for the disk.
  ///
  /// Off loses the last commits in a crash of the server, never
  /// consistency: fit for heartbeats, never for results.
  package var isCommitDurable: Bool
  /// Plans for the queue's statements: no JIT, and neither hash or merge joins nor sequential or
  /// bitmap scans where an index serves.
  ///
  /// The tables empty and fill: a plan that was made, and kept, while a table was empty, or while
  /// statistics said so, would read all of it for a claim of ten rows.
  package var isForQueue: Bool

  package init(
    applicationName: String,
    searchPath: String? = nil,
    statementTimeoutMilliseconds: Int = 60_000,
    lockTimeoutMilliseconds: Int = 10_000,
    idleInTransactionTimeoutMilliseconds: Int = 30_000,
    answerMarginMilliseconds: Int = 15_000,
    isCommitDurable: Bool = true,
    isForQueue: Bool = false
  ) {
    self.applicationName = applicationName
    self.searchPath = searchPath
    self.statementTimeoutMilliseconds = statementTimeoutMilliseconds
    self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
    self.idleInTransactionTimeoutMilliseconds = idleInTransactionTimeoutMilliseconds
    self.answerMarginMilliseconds = answerMarginMilliseconds
    self.isCommitDurable = isCommitDurable
    self.isForQueue = isForQueue
  }

  /// For how long the server may be silent while a statement runs; nil: for ever, as its statements may take.
  var patienceMilliseconds: Int? {
    statementTimeoutMilliseconds > 0
      ? statementTimeoutMilliseconds + answerMarginMilliseconds : nil
  }

  /// The statements that have the server notice a dead client after 15 to 25 s instead of its kernel's
  /// hours, and one that reads nothing; the connection's parameters do so for the client.
  ///
  /// Behind a pooler the other end is the pooler.
  static let peerCommands = """
    SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; \
    SET tcp_user_timeout = 15000
    """

  /// The statements that make a fresh session so.
  package var commands: String { commands("SET") }

  /// The statements that begin a transaction which is so.
  var transactionCommands: String { "BEGIN; " + commands("SET LOCAL") }

  private func commands(_ set: String) -> String {
    var settings: [(name: String, value: String)] = [
      ("timezone", "UTC"),
      ("statement_timeout", String(statementTimeoutMilliseconds)),
      ("lock_timeout", String(lockTimeoutMilliseconds)),
      ("idle_in_transaction_session_timeout", String(idleInTransactionTimeoutMilliseconds)),
      ("synchronous_commit", isCommitDurable ? "on" : "off"),
    ]
    if isForQueue {
      settings += [
        ("jit", "off"), ("enable_hashjoin", "off"), ("enable_mergejoin", "off"),
        ("enable_seqscan", "off"), ("enable_bitmapscan", "off"),
        ("plan_cache_mode", "force_generic_plan"),
      ]
    }
    var commands = settings.map { "\(set) \($0.name) = \(quotedLiteral($0.value))" }
    if let searchPath { commands.append("\(set) search_path = \(quotedIdentifier(searchPath))") }
    return commands.joined(separator: "; ")
  }
}
