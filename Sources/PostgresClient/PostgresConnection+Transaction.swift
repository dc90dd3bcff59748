extension PostgresConnection {
  /// Runs `body` in a transaction (READ COMMITTED), which is rolled back if it throws.
  ///
  /// A transaction inside a transaction is part of it.
  package func transaction<Value>(
    _ body: (PostgresConnection) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    if isInTransaction { return try body(self) }
    try begin()
    let value: Value
    do throws(PostgresError) {
      value = try body(self)
    } catch {
      if isUsable { rollBack() }
      throw error
    }
    try execute("COMMIT", named: "COMMIT")
    return value
  }

  /// Runs `body` in a transaction, again if it meets a deadlock, a serialization failure or a lock
  /// timeout; `attempts` times at most.
  ///
  /// `pause` is called before each repetition with its number from 1; it waits, with jitter.
  package func retryingTransaction<Value>(
    attempts: Int = 5,
    pause: (Int) -> Void = TransactionPause.wait,
    _ body: (PostgresConnection) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    var attempt = 1
    while true {
      do throws(PostgresError) {
        return try transaction(body)
      } catch {
        guard !isInTransaction, attempt < attempts, error.state?.isRetryable == true else {
          throw error
        }
        pause(attempt)
        attempt += 1
      }
    }
  }

  /// Ends a failed transaction.
  ///
  /// A failure of ROLLBACK means that the connection is gone, and the transaction with it; the next
  /// statement reports that.
  private func rollBack() {
    do throws(PostgresError) {
      try execute("ROLLBACK", named: "ROLLBACK")
    } catch {
      return
    }
  }
}
