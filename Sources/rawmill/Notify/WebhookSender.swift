internal import FileSystem
internal import HTTP
internal import JSON
internal import JobModel
internal import Rendering
internal import ServiceRuntime

/// Posts events to one URL.
struct WebhookSender: Sendable {
  /// What came of one attempt.
  enum Result: Equatable, Sendable {
    case delivered
    /// To be tried again: why.
    case failed(String)
  }

  let url: HTTPURL
  /// Signs each body; nil: none is signed.
  let secret: [UInt8]?
  let certificateAuthorities: String?
  let timeout: Duration

  /// Posts an event; any status from 200 to 299 means that it has arrived.
  func send(_ delivery: EventDelivery, secondsSince1970: Int64) -> Result {
    let body = Array(Self.body(of: delivery.event).text().utf8)
    var headers = [
      ("Content-Type", "application/json"), ("Rawmill-Event-Id", "\(delivery.event.id.rawValue)"),
      ("Rawmill-Event", delivery.event.kind.rawValue), ("Rawmill-Attempt", "\(delivery.attempt)"),
    ]
    if let secret {
      headers.append(
        (
          WebhookSignature.header,
          WebhookSignature.value(of: body, secret: secret, secondsSince1970: secondsSince1970)
        )
      )
    }
    let request = HTTPRequest(
      url: url,
      headers: headers,
      userAgent: "rawmill/\(EngineInformation.version)",
      timeout: timeout,
      certificateAuthorities: certificateAuthorities
    )
    do throws(HTTPError) {
      let status = try request.post(body)
      return (200..<300).contains(status)
        ? .delivered : .failed("\(url.host) answered \(status)")
    } catch {
      return .failed(error.message)
    }
  }

  /// The same bytes for an event at each attempt: its id tells doubles apart.
  static func body(of event: QueueEvent) -> JSONValue {
    .object(omittingAbsent: [
      "id": .init(event.id.rawValue),
      "event": .string(event.kind.rawValue),
      "time": .string(Timestamp.text(nanosecondsSince1970: event.microseconds * 1_000)),
      "batch": event.batch.map { .init($0.rawValue) },
      "worker": event.worker.map { .init($0.rawValue) },
      "host": event.host.map { .string($0) },
      "actor": .string(event.actor),
      "message": .string(event.message),
      "detail": event.detail,
    ])
  }
}
