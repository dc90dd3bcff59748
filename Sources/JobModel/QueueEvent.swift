package import JSON

/// Something that happened to a batch, a worker or a host; never to a single job.
package struct QueueEvent: Equatable, Sendable {
  package var id: EventID
  /// Microseconds since 1970-01-01 UTC.
  package var microseconds: Int64
  package var kind: EventKind
  package var batch: BatchID?
  package var worker: WorkerID?
  package var host: String?
  /// Who did it: a user, or `rawmill` itself.
  package var actor: String
  /// One sentence for people; may be empty.
  package var message: String
  /// Figures that belong to the kind, such as the counts of a finished batch.
  package var detail: JSONValue

  /// The actor of what the queue does by itself.
  package static let queueActor = "rawmill"

  package init(
    id: EventID,
    microseconds: Int64,
    kind: EventKind,
    batch: BatchID? = nil,
    worker: WorkerID? = nil,
    host: String? = nil,
    actor: String = QueueEvent.queueActor,
    message: String = "",
    detail: JSONValue = .object([])
  ) {
    self.id = id
    self.microseconds = microseconds
    self.kind = kind
    self.batch = batch
    self.worker = worker
    self.host = host
    self.actor = actor
    self.message = message
    self.detail = detail
  }
}
