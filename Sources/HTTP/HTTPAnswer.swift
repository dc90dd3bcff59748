/// What a server answers to a request.
package struct HTTPAnswer: Equatable, Sendable {
  /// From 200 to 599.
  package var status: Int
  package var contentType: String
  package var body: [UInt8]
  /// The methods that a resource has, for an answer 405.
  package var allowed: String?

  package init(status: Int, contentType: String, body: [UInt8], allowed: String? = nil) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.allowed = allowed
  }

  /// A line of plain text.
  package static func text(_ status: Int, _ line: String, allowed: String? = nil) -> HTTPAnswer {
    HTTPAnswer(
      status: status,
      contentType: "text/plain; charset=utf-8",
      body: Array(line.utf8) + [0x0A],
      allowed: allowed
    )
  }
}
