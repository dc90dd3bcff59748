/// How a body is posted; see ``post(_:)``.
package struct HTTPRequest: Sendable {
  package var url: HTTPURL
  package var headers: [(name: String, value: String)]
  package var userAgent: String
  package var connectTimeout: Duration
  /// For the whole exchange.
  package var timeout: Duration
  /// A PEM file of the authorities to trust instead of the system's.
  package var certificateAuthorities: String?
  /// Bytes of an answer's body that are waited for before the exchange counts as failed.
  package var replyLimit = 65_536

  package init(
    url: HTTPURL,
    headers: [(name: String, value: String)] = [],
    userAgent: String,
    connectTimeout: Duration = .seconds(5),
    timeout: Duration = .seconds(15),
    certificateAuthorities: String? = nil
  ) {
    self.url = url
    self.headers = headers
    self.userAgent = userAgent
    self.connectTimeout = connectTimeout
    self.timeout = timeout
    self.certificateAuthorities = certificateAuthorities
  }

  /// Sends a body and gives the status of the answer, which may be any; blocks the thread.
  ///
  /// Certificates and host names are verified, redirects are not followed, proxies are those of the
  /// environment. Headers must hold no line breaks.
  package func post(_ body: [UInt8]) throws(HTTPError) -> Int {
    // Without it the body would wait for a server's leave, which few give.
    var request = self
    request.headers.append(("Expect", ""))
    for (name, value) in headers
    where (name + value).unicodeScalars.contains(where: { $0.value < 0x20 }) {
      throw .urlRefused(reason: "header \(name) holds a control character")
    }
    return try CURLTransfer.make().post(body, to: request)
  }
}
