import HTTP
import Testing

@Suite struct HTTPServerTests {
  private static func server(_ limits: HTTPServer.Limits = .init()) throws -> HTTPServer {
    try HTTPServer.start(
      on: HTTPEndpoint(address: "127.0.0.1", port: 0),
      limits: limits,
      resources: ["/metrics": { .text(200, "up 1") }, "/healthz": { .text(503, "no") }]
    )
  }

  @Test func itAnswersWhatItHas() throws {
    let server = try Self.server()
    let port = server.endpoint.port
    #expect(port != 0)
    let answer = try #require(RawClient.get("/metrics", port: port))
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.contains("Content-Type: text/plain; charset=utf-8\r\n"))
    #expect(answer.hasSuffix("\r\n\r\nup 1\n"))
    let query = try #require(RawClient.get("/metrics?a=b", port: port))
    #expect(query.hasPrefix("HTTP/1.1 200 "))
    let health = try #require(RawClient.get("/healthz", port: port))
    #expect(health.hasPrefix("HTTP/1.1 503 "))
    #expect(health.hasSuffix("\r\n\r\nno\n"))
  }

  @Test(arguments: ["/", "/metrics/", "/metric", "//metrics", "/../metrics", "/metrics%2f", "*"])
  func otherPathsAreNotThere(_ path: String) throws {
    let server = try Self.server()
    let answer = try #require(RawClient.get(path, port: server.endpoint.port))
    #expect(answer.hasPrefix("HTTP/1.1 404 "))
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "BREW"])
  func otherMethodsAreRefusedWithTheirBodyUnread(_ method: String) throws {
    let server = try Self.server()
    let client = try #require(RawClient(port: server.endpoint.port))
    client.send(
      "\(method) /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\nabc"
    )
    let answer = try #require(client.readAll())
    #expect(answer.hasPrefix("HTTP/1.1 405 "))
    #expect(answer.contains("Allow: GET, HEAD\r\n"))
  }

  @Test func headHasNoBody() throws {
    let server = try Self.server()
    let answer = try #require(
      RawClient.answer(
        to: "HEAD /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        port: server.endpoint.port
      )
    )
    #expect(answer.hasPrefix("HTTP/1.1 200 "))
    #expect(answer.hasSuffix("\r\n\r\n"))
  }

  private static let hostile = [
    "\r\n\r\n\r\n\r\n", "GET\r\n\r\n", "\u{0}\u{1}\u{2}\u{FFFF}\r\n\r\n",
    "GET /metrics HTTP/9.9\r\nHost: x\r\nConnection: close\r\n\r\n",
    "GET /metrics HTTP/1.1\r\nContent-Length: -1\r\nConnection: close\r\n\r\n",
    "GET /metrics HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    "GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
    "GET /%00%ff%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /metrics HTTP/1.1\r\nX: " + String(repeating: "b", count: 100_000) + "\r\n\r\n",
    "GET /metrics HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 20_000) + "\r\n",
  ]

  /// After each of these the server still answers others.
  @Test(arguments: hostile.indices)
  func hostileRequestsEndAndHarmNobody(_ index: Int) throws {
    let request = Self.hostile[index]
    let server = try Self.server(.init(idleSeconds: 1))
    let client = try #require(RawClient(port: server.endpoint.port))
    client.send(request)
    // Whatever it says to it, it ends the connection.
    #expect(client.readAll() != nil)
    let answer = try #require(RawClient.get("/metrics", port: server.endpoint.port))
    #expect(answer.hasSuffix("up 1\n"))
  }

  @Test func longHeadersAreRefused() throws {
    let server = try Self.server()
    let value = String(repeating: "b", count: 100_000)
    let answer = try #require(
      RawClient.answer(
        to: "GET /metrics HTTP/1.1\r\nHost: x\r\nX: \(value)\r\n\r\n",
        port: server.endpoint.port
      )
    )
    #expect(!answer.contains("up 1"))
  }

  @Test func connectionsOverTheLimitAreClosedAndOthersServed() throws {
    let server = try Self.server(.init(connections: 8, connectionsPerAddress: 4, idleSeconds: 60))
    let port = server.endpoint.port
    var idle: [RawClient] = []
    for _ in 0..<4 {
      let client = try #require(RawClient(port: port))
      client.send("GET /metrics HT")
      idle.append(client)
    }
    // The fifth is closed without an answer.
    let fifth = try #require(RawClient.get("/metrics", port: port))
    #expect(fifth == "")
    idle = []
    // The server has room again as soon as it has seen the ends.
    var answer = ""
    for _ in 0..<100 where !answer.hasSuffix("up 1\n") {
      answer = RawClient.get("/metrics", port: port) ?? ""
    }
    #expect(answer.hasSuffix("up 1\n"))
  }

  @Test func clientsThatSayNothingAreClosed() throws {
    let server = try Self.server(.init(idleSeconds: 1))
    let client = try #require(RawClient(port: server.endpoint.port))
    client.send("GET /metr")
    #expect(client.readAll() != nil)
  }

  @Test func aPortThatIsTakenIsAnError() throws {
    let server = try Self.server()
    let endpoint = server.endpoint
    #expect(
      throws: HTTPError.cannotListen(
        endpoint: endpoint.description,
        reason: "Address already in use"
      )
    ) {
      _ = try HTTPServer.start(on: endpoint, resources: [:])
    }
    _ = consume server
    // Ended with its value: the port is free again.
    _ = try HTTPServer.start(on: endpoint, resources: [:])
  }
}
