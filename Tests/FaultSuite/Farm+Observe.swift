internal import Digest
internal import FaultHistory
internal import FileSystem
internal import JobModel
internal import PostgresClient

extension Farm {
  /// Writes down how everything stands, and gives what the checker says.
  func check() throws -> HistoryReport {
    try readPublications()
    try observeJobs()
    try observeAttempts()
    try observeOutputs()
    try observeBatches()
    try observeFiles(output)
    return HistoryChecker.check(recorder.history)
  }

  private func rows(_ sql: String, _ body: (PostgresRow) throws -> Void) throws {
    let result = try connection().queryOnce(sql, named: "suite")
    for index in 0..<result.rowCount { try body(result[index]) }
  }

  private func observeJobs() throws {
    let prefix = input.displayText.dropFirst() + "/"
    try rows(
      """
      SELECT j.id, j.batch_id, j.input_path, j.outcome, j.attempt, cardinality(j.output_ids)::bigint,
        (SELECT f.code FROM failure f WHERE f.job_id = j.id)
      FROM job j ORDER BY j.id
      """
    ) { row in
      let path = FilePath(bytes: try row.bytes(2)).displayText
      recorder.add(
        .job(
          HistoryRow.Job(
            id: try row.int64(0),
            batch: try row.int64(1),
            input: path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path,
            outcome: try row.optionalInt64(3),
            attempt: try row.int64(4),
            outputs: try row.int64(5),
            failureCode: try row.optionalText(6)
          )
        )
      )
    }
    try rows("SELECT job_id, worker_id FROM lease ORDER BY job_id") { row in
      recorder.add(.lease(job: try row.int64(0), worker: try row.int64(1)))
    }
    try rows("SELECT id, state FROM worker ORDER BY id") { row in
      recorder.add(.worker(id: try row.int64(0), state: try row.int64(1)))
    }
  }

  private func observeAttempts() throws {
    let times =
      "(extract(epoch FROM claimed_at) * 1e6)::bigint, (extract(epoch FROM %) * 1e6)::bigint"
    func columns(_ end: String) -> String {
      "job_id, attempt, batch_id, worker_id, "
        + times.split(separator: "%", maxSplits: 1).joined(separator: end)
    }
    func attempt(_ row: PostgresRow, ending: Int64?) throws -> HistoryRow.Attempt {
      HistoryRow.Attempt(
        job: try row.int64(0),
        attempt: try row.int64(1),
        batch: try row.int64(2),
        worker: try row.int64(3),
        claimedAt: try row.int64(4),
        endedAt: try row.int64(5),
        ending: ending
      )
    }
    try rows("SELECT \(columns("finished_at")) FROM provenance ORDER BY 1, 2") { row in
      recorder.add(.provenance(try attempt(row, ending: nil)))
    }
    try rows("SELECT \(columns("at")), ending FROM attempt ORDER BY 1, 2") { row in
      recorder.add(.attempt(try attempt(row, ending: try row.int64(6))))
    }
  }

  private func observeOutputs() throws {
    try rows(
      """
      SELECT job_id, attempt, path, size, encode(sha256, 'hex'), published_at IS NOT NULL
      FROM output ORDER BY 1, 2
      """
    ) { row in
      let path = FilePath("/").appending(FilePath(bytes: try row.bytes(2)))
      recorder.add(
        .output(
          HistoryRow.Output(
            job: try row.int64(0),
            attempt: try row.int64(1),
            path: relative(path.displayText),
            size: try row.int64(3),
            sha256: try row.text(4),
            isPublished: try row.bool(5)
          )
        )
      )
    }
  }

  private func observeBatches() throws {
    let hasCap = try number(
      """
      SELECT count(*) FROM information_schema.columns
      WHERE table_schema = 'rawmill' AND table_name = 'batch' AND column_name = 'maximum_running'
      """
    )
    try rows(
      """
      SELECT b.id, b.state, b.total, coalesce(p.done, 0), coalesce(p.failed, 0),
        coalesce(p.cancelled, 0), b.finished_at IS NOT NULL,
        \(hasCap == 1 ? "b.maximum_running::bigint" : "NULL::bigint")
      FROM batch b LEFT JOIN progress p ON p.batch_id = b.id ORDER BY b.id
      """
    ) { row in
      recorder.add(
        .batch(
          HistoryRow.Batch(
            id: try row.int64(0),
            state: try row.int64(1),
            total: try row.int64(2),
            done: try row.int64(3),
            failed: try row.int64(4),
            cancelled: try row.int64(5),
            isFinished: try row.bool(6),
            cap: try row.optionalInt64(7)
          )
        )
      )
    }
  }

  private func observeFiles(_ folder: FilePath) throws {
    for entry in try folder.directoryEntries() {
      let path = folder.appending(component: entry.name.bytes)
      if entry.kind == .folder {
        try observeFiles(path)
        continue
      }
      let bytes = try path.readAll()
      recorder.add(
        .file(
          path: relative(path.displayText),
          size: Int64(bytes.count),
          sha256: SHA256.digest(of: bytes).hex
        )
      )
    }
  }
}

extension Farm {
  /// Copies what the workers said.
  func keepLogs(_ target: FilePath) throws {
    var text: [UInt8] = []
    let logs = folder.appending("logs")
    for entry in try logs.directoryEntries().sorted(by: { $0.name < $1.name }) {
      text += Array("== \(entry.name)\n".utf8)
      text += try logs.appending(entry.name).readAll()
    }
    text += Array("== server\n".utf8)
    text += try server.logTail()
    try Farm.write(text, to: target)
  }
}
