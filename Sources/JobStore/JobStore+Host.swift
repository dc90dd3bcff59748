package import JobModel
internal import PostgresClient

private let selectEvidence = SQLStatement(
  "host.evidence",
  "SELECT host, batch_id, done, troubled, refuted, is_live FROM host_evidence()"
)

private let beginJudgement = SQLStatement("host.begin", "SELECT begin_judgement($1)")
private let putAside = SQLStatement("host.putAside", "SELECT put_aside($1, $2, $3, $4, $5, $6)")
private let allowHost = SQLStatement("host.allow", "SELECT allow_host($1, $2, $3)")

private let selectAside = SQLStatement(
  "host.aside",
  "SELECT host, root, reason, actor, since, until FROM asides()"
)

/// Hosts are judged as often as this, by one process, in seconds.
private let judgementInterval: Int32 = 10

extension JobStore {
  /// Hosts and roots of hosts that are set aside now.
  package func setAside() throws(JobStoreError) -> [SetAside] {
    let result = try query(selectAside)
    return try wrapping { () throws(PostgresError) in
      try result.map { (row) throws(PostgresError) in
        let root = try row.text(1)
        return SetAside(
          host: try row.text(0),
          root: root.isEmpty ? nil : root,
          reason: try row.text(2),
          actor: try row.text(3),
          sinceMicroseconds: try row.timestamp(4),
          untilMicroseconds: try row.timestamp(5)
        )
      }
    }
  }

  /// Has the workers of a host claim nothing, or nothing with one root, for a time, and gives its end in
  /// microseconds since 1970; nil where it was set aside already.
  ///
  /// Each time that follows within a day is twice as long, up to `mostSeconds`.
  @discardableResult
  package func setAside(
    host: String,
    root: String? = nil,
    reason: String,
    by actor: String = QueueEvent.queueActor,
    seconds: Double,
    mostSeconds: Double? = nil
  ) throws(JobStoreError) -> Int64? {
    let result = try query(
      putAside,
      [
        .text(databaseText(host)), .text(databaseText(root ?? "")), .text(databaseText(reason)),
        .text(databaseText(actor)), .double(seconds), .double(mostSeconds ?? seconds),
      ]
    )
    return try wrapping { () throws(PostgresError) in try result[0].optionalTimestamp(0) }
  }

  /// Lets a host, or one of its roots, work again; says whether it was set aside.
  @discardableResult
  package func allow(
    host: String,
    root: String? = nil,
    by actor: String = QueueEvent.queueActor
  ) throws(JobStoreError) -> Bool {
    try isTrue(
      query(
        allowHost,
        [.text(databaseText(host)), .text(databaseText(root ?? "")), .text(databaseText(actor))]
      )
    )
  }

  /// What the hosts came to lately.
  package func hostRecords() throws(JobStoreError) -> [HostRecord] {
    let result = try query(selectEvidence)
    var records: [String: HostRecord] = [:]
    try wrapping { () throws(PostgresError) in
      for index in 0..<result.rowCount {
        let row = result[index]
        let host = try row.text(0)
        let counts = HostRecord.Counts(done: try row.int(2), troubled: try row.int(3))
        var record = records[host] ?? HostRecord(host: host, batches: [:])
        record.batches[BatchID(rawValue: try row.int64(1))] = counts
        record.refuted = try row.int(4)
        record.isLive = try row.bool(5)
        records[host] = record
      }
    }
    return records.values.sorted { $0.host < $1.host }
  }

  /// Sets a host aside whose jobs fail where others' succeed; now and then, whoever keeps house asks.
  func judgeHosts() throws(JobStoreError) {
    guard try isTrue(query(beginJudgement, [.int32(judgementInterval)])) else { return }
    guard let verdict = HostJudge.verdict(try hostRecords()) else { return }
    try setAside(
      host: verdict.host,
      reason: verdict.reason,
      seconds: HostJudge.firstSeconds,
      mostSeconds: HostJudge.mostSeconds
    )
  }
}
