internal import Diagnostics
internal import FileSystem
internal import HTTP
internal import JSON
internal import JobModel
internal import JobStore
internal import PostgresClient
internal import ServiceRuntime

/// Takes events from the database and hands them to a webhook, one after the other, until it is stopped.
///
/// What was delivered stands in the database: another process, or this one after a restart, goes on
/// from there. Several may run at once; each event is held by one of them at a time.
final class Notifier {
  /// How often the database is asked.
  private static let interval = Duration.seconds(2)

  private let database: DatabaseAddress
  private let receiver: String
  private let sender: WebhookSender
  private let log: Log
  private let metrics: NotifierMetrics
  private var store: JobStore?
  private var generator = SystemRandomNumberGenerator()
  private var lastFailure = ""
  /// Whether the database has ever done what it was asked.
  private var hasTaken = false

  init(
    database: DatabaseAddress,
    receiver: String,
    sender: WebhookSender,
    log: Log,
    metrics: NotifierMetrics
  ) {
    self.database = database
    self.receiver = receiver
    self.sender = sender
    self.log = log
    self.metrics = metrics
  }

  /// Delivers until a stop is asked for; `isOnce`: what is due now.
  ///
  /// - Throws: What keeps it from its first connection, and a login that may not take events; later failures
  ///   of the database are waited out.
  func run(_ stop: StopSignal, isOnce: Bool) throws(JobStoreError) {
    store = try open()
    while !stop.isRequested {
      var isIdle = true
      do throws(JobStoreError) {
        isIdle = try deliver(connectedStore()) == 0
        hasTaken = true
        metrics.databaseAnswered()
        lastFailure = ""
      } catch {
        if error.isRightMissing, !hasTaken { throw error }
        store = nil
        if error.message != lastFailure {
          log.write(
            .warning,
            "databaseFailed",
            "the database failed and will be asked again: \(error.message)"
          )
        }
        lastFailure = error.message
        if isOnce { throw error }
      }
      if isIdle {
        if isOnce { return }
        _ = stop.wait(for: Self.interval)
      }
    }
  }

  private func open() throws(JobStoreError) -> JobStore {
    try JobStore.open(
      database,
      applicationName: "rawmill notify",
      accepting: .currentOrNewer
    )
  }

  private func connectedStore() throws(JobStoreError) -> JobStore {
    if let store { return store }
    let fresh = try open()
    store = fresh
    return fresh
  }

  /// Delivers what is due, and gives its number.
  private func deliver(_ store: JobStore) throws(JobStoreError) -> Int {
    // One at a time: what is taken is tried at once, well before its hold ends.
    let hold = 30 + Int(sender.timeout / .seconds(1))
    let due = try store.takeDeliveries(to: receiver, limit: 1, holdSeconds: hold)
    for delivery in due {
      let now = SystemInformation.wallClockNanoseconds / 1_000_000_000
      let result = sender.send(delivery, secondsSince1970: now)
      try settle(store, delivery, result)
    }
    return due.count
  }

  private func settle(
    _ store: JobStore,
    _ delivery: EventDelivery,
    _ result: WebhookSender.Result
  ) throws(JobStoreError) {
    let event = delivery.event
    let members: [(String, JSONValue)] = [
      ("eventID", .init(event.id.rawValue)), ("kind", .string(event.kind.rawValue)),
      ("batch", .init(event.batch?.rawValue ?? 0)), ("attempt", .init(delivery.attempt)),
    ]
    switch result {
    case .delivered:
      try store.settle(event.id, to: receiver)
      metrics.delivered(after: delivery.attempt)
      log.write(.info, "delivered", "told \(sender.url.host) of event \(event.id)", members)
    case .failed(let reason):
      let delay = DeliveryBackoff.delay(after: delivery.attempt, using: &generator)
      try store.settle(event.id, to: receiver, error: reason, retryAfterSeconds: delay)
      metrics.failed(isGivenUp: delay == nil)
      let next = delay.map { "next attempt in \(Quantity.duration(.seconds($0)))" } ?? "given up"
      log.write(
        delay == nil ? .error : .warning,
        delay == nil ? "deliveryGivenUp" : "deliveryFailed",
        "event \(event.id) was not delivered: \(reason); \(next)",
        members
      )
    }
  }
}
