package import JSON
package import JobModel
internal import PostgresClient

private let eventColumns =
  "id, at, kind, batch_id, worker_id, host, actor, message, detail"

/// The newest first.
///
/// The limit is applied along an index: by id, or by batch and id.
private let selectEvents = SQLStatement(
  "event.list",
  "SELECT \(eventColumns) FROM event WHERE id > $1 ORDER BY id DESC LIMIT $2"
)

private let selectEventsOfBatch = SQLStatement(
  "event.ofBatch",
  "SELECT \(eventColumns) FROM event WHERE batch_id = $3 AND id > $1 ORDER BY id DESC LIMIT $2"
)

private let recordEvent = SQLStatement(
  "event.record",
  "SELECT record_event($1, $2, $3, $4, $5, $6, $7, false)"
)

private let takeDue = SQLStatement(
  "delivery.take",
  "SELECT \(eventColumns), attempts FROM take_deliveries($1, $2, $3)"
)

private let settleDelivery = SQLStatement(
  "delivery.settle",
  "SELECT 1 FROM settle_delivery($1, $2, $3, $4)"
)

extension JobStore {
  /// Events after `event`, of one batch or of all, the newest first.
  ///
  /// Events of transactions that commit late may come with smaller ids than those already seen.
  package func events(
    of batch: BatchID? = nil,
    after event: EventID? = nil,
    limit: Int = 100
  ) throws(JobStoreError) -> [QueueEvent] {
    let bounds: [PostgresParameter] = [.int64(event?.rawValue ?? 0), .int64(Int64(limit))]
    let result =
      if let batch {
        try query(selectEventsOfBatch, bounds + [.int64(batch.rawValue)])
      } else {
        try query(selectEvents, bounds)
      }
    var events: [QueueEvent] = []
    for row in 0..<result.rowCount {
      // A newer program may write kinds that this one does not know.
      if let event = try result[row].queueEvent() { events.append(event) }
    }
    return events
  }

  /// Writes an event about a batch, a worker or a host that no other function of the store writes.
  @discardableResult
  package func record(
    _ kind: EventKind,
    batch: BatchID? = nil,
    worker: WorkerID? = nil,
    host: String? = nil,
    actor: String = QueueEvent.queueActor,
    message: String = "",
    detail: JSONValue = .object([])
  ) throws(JobStoreError) -> EventID {
    let result = try query(
      recordEvent,
      [
        .text(kind.rawValue), .optional(batch?.rawValue), .optional(worker?.rawValue),
        .optional(host.map { databaseText($0) }), .text(databaseText(actor)),
        .text(databaseText(message)), .jsonb(databaseJSON(detail)),
      ]
    )
    return try wrapping { () throws(PostgresError) in EventID(rawValue: try result[0].int64(0)) }
  }

  /// Takes notable events (a batch is finished, has paused itself, has passed its failure share) that a
  /// receiver was not told yet, the oldest first.
  ///
  /// What is not settled within `holdSeconds` comes again, to whichever process asks then. A receiver
  /// is told what happens after its first question.
  package func takeDeliveries(
    to receiver: String,
    limit: Int = 10,
    holdSeconds: Int = 60
  ) throws(JobStoreError) -> [EventDelivery] {
    let result = try transaction { () throws(JobStoreError) in
      try query(
        takeDue,
        [
          .text(databaseText(receiver)), .int32(Int32(clamping: limit)),
          .int32(Int32(clamping: holdSeconds)),
        ]
      )
    }
    var deliveries: [EventDelivery] = []
    for row in 0..<result.rowCount {
      guard let event = try result[row].queueEvent() else { continue }
      let attempt = try wrapping { () throws(PostgresError) in try result[row].int(9) }
      deliveries.append(EventDelivery(event: event, attempt: attempt))
    }
    return deliveries
  }

  /// Records that a receiver was told an event.
  package func settle(
    _ event: EventID,
    to receiver: String
  ) throws(JobStoreError) {
    try settle(event, to: receiver, error: nil, retryAfterSeconds: nil)
  }

  /// Records that a receiver could not be told an event; without a delay it is given up.
  package func settle(
    _ event: EventID,
    to receiver: String,
    error: String,
    retryAfterSeconds delay: Double?
  ) throws(JobStoreError) {
    try settle(event, to: receiver, error: Optional(error), retryAfterSeconds: delay)
  }

  private func settle(
    _ event: EventID,
    to receiver: String,
    error: String?,
    retryAfterSeconds delay: Double?
  ) throws(JobStoreError) {
    try query(
      settleDelivery,
      [
        .text(databaseText(receiver)), .int64(event.rawValue),
        .optional(error.map { databaseText($0) }), delay.map { .double($0) } ?? .null(.double),
      ]
    )
  }
}

extension PostgresRow {
  /// An event from the columns of `eventColumns`; nil if its kind is unknown here.
  fileprivate func queueEvent() throws(JobStoreError) -> QueueEvent? {
    let text = try wrapping { () throws(PostgresError) in try json(8) }
    let detail: JSONValue
    do throws(JSONError) {
      detail = try JSONParser.parse(text)
    } catch {
      throw .storedValueInvalid(column: "event.detail", value: text)
    }
    return try wrapping { () throws(PostgresError) in
      guard let kind = EventKind(rawValue: try self.text(2)) else { return nil }
      return QueueEvent(
        id: EventID(rawValue: try int64(0)),
        microseconds: try timestamp(1),
        kind: kind,
        batch: try optionalInt64(3).map { BatchID(rawValue: $0) },
        worker: try optionalInt64(4).map { WorkerID(rawValue: $0) },
        host: try optionalText(5),
        actor: try self.text(6),
        message: try self.text(7),
        detail: detail
      )
    }
  }
}
