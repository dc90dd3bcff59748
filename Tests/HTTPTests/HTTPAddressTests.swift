import Diagnostics
import HTTP
import Testing

@Suite struct HTTPAddressTests {
  @Test(
    arguments: [
      ("9464", "127.0.0.1:9464"), (":9464", "127.0.0.1:9464"), ("localhost:1", "127.0.0.1:1"),
      ("0.0.0.0:9464", "0.0.0.0:9464"), ("[::1]:9464", "[::1]:9464"),
      ("127.0.0.1:0", "127.0.0.1:0"),
      ("example.org:80", nil), ("::1:80", nil), ("1.2.3:80", nil), ("127.0.0.1:65536", nil),
      ("127.0.0.1:", nil), ("", nil), ("-1", nil), ("[127.0.0.1]:80", nil), ("1.2.3.4:+5", nil),
      ("[::1]", nil), ("127.0.0.1:٣", nil),
    ] as [(String, String?)]
  )
  func endpoints(_ text: String, _ expected: String?) {
    #expect(HTTPEndpoint(text)?.description == expected)
  }

  @Test(
    arguments: [
      ("https://hooks.example.org/services/secret?key=secret", "https://hooks.example.org/…"),
      ("HTTP://127.0.0.1:8080", "http://127.0.0.1:8080/…"),
      ("http://[::1]:80/x", "http://[::1]:80/…"),
      ("ftp://example.org/", nil), ("file:///etc/passwd", nil), ("https://", nil),
      ("https:///x", nil), ("https://user:password@example.org/", nil),
      ("https://example.org/#a", nil), ("https://example.org/a b", nil),
      ("https://example.org/\r\nHost: other", nil), ("https://exämple.org/", nil),
      ("https://exa%6dple.org/", nil), ("example.org", nil), ("", nil),
      ("https://a/" + String(repeating: "b", count: 5_000), nil),
    ] as [(String, String?)]
  )
  func urlsShowTheirHostAlone(_ text: String, _ expected: String?) {
    let url = try? HTTPURL(text)
    #expect(url?.description == expected)
    #expect(!"\(url, default: "")".contains("secret"))
  }

  static let errors: [(HTTPError, String, Disposition)] = [
    (.cannotListen(endpoint: "e", reason: "r"), "cannotListen", .transient),
    (.clientUnavailable(reason: "r"), "httpClientUnavailable", .fatalWorker),
    (.urlRefused(reason: "r"), "urlRefused", .permanent),
    (.noAnswer(host: "h", reason: "r"), "noAnswer", .transient),
  ]

  @Test(arguments: errors)
  func slugAndDisposition(_ error: HTTPError, _ code: String, _ disposition: Disposition) {
    #expect(error.code.rawValue == code)
    #expect(error.disposition == disposition)
    #expect(!error.message.isEmpty)
  }

  @Test func headersWithLineBreaksAreRefused() throws {
    let request = HTTPRequest(
      url: try HTTPURL("http://127.0.0.1:1/"),
      headers: [("A", "b\r\nC: d")],
      userAgent: "test"
    )
    #expect(throws: HTTPError.urlRefused(reason: "header A holds a control character")) {
      _ = try request.post([])
    }
  }

  @Test func aRefusedConnectionIsNoAnswer() throws {
    let request = HTTPRequest(
      url: try HTTPURL("http://127.0.0.1:1/secret"),
      userAgent: "test"
    )
    let error = try #require(throws: HTTPError.self) { _ = try request.post([1, 2]) }
    #expect(error.code == "noAnswer")
    #expect(!error.message.contains("secret"))
  }

  @Test func anyStatusIsAnAnswer() throws {
    let server = try HTTPServer.start(
      on: HTTPEndpoint(address: "127.0.0.1", port: 0),
      resources: ["/hook": { .text(200, "unread") }]
    )
    let url = try HTTPURL("http://\(server.endpoint)/hook")
    let request = HTTPRequest(url: url, userAgent: "test")
    // This server takes no bodies.
    #expect(try request.post(Array("{}".utf8)) == 405)
  }
}
