/// A server for a few resources that are read: no bodies, no sessions, no files.
///
/// It runs in a thread of its own until it goes out of scope. Whatever a client sends, it costs this process
/// a bounded amount of memory and one thread, and delays nobody but other clients.
package struct HTTPServer: ~Copyable {
  /// What clients may take.
  package struct Limits: Equatable, Sendable {
    /// Connections at once; more wait until one of them is closed.
    package var connections: Int
    /// Of these, those from one address; more are closed at once.
    package var connectionsPerAddress: Int
    /// A connection on which nothing moves for so long is closed.
    package var idleSeconds: Int
    /// Memory of one connection: a longer request header is refused.
    package var headerBytes: Int

    package init(
      connections: Int = 64,
      connectionsPerAddress: Int = 16,
      idleSeconds: Int = 10,
      headerBytes: Int = 16_384
    ) {
      self.connections = connections
      self.connectionsPerAddress = connectionsPerAddress
      self.idleSeconds = idleSeconds
      self.headerBytes = headerBytes
    }
  }

  private let daemon: MicroHTTPDaemon
  /// Where it listens, with the port that it got.
  package let endpoint: HTTPEndpoint

  /// Starts a server whose resources are made by `resources`, path by path, on each request; they are called
  /// in one thread, one after the other.
  ///
  /// Methods other than GET and HEAD are answered with 405, other paths with 404.
  package static func start(
    on endpoint: HTTPEndpoint,
    limits: Limits = Limits(),
    resources: [String: @Sendable () -> HTTPAnswer]
  ) throws(HTTPError) -> HTTPServer {
    let daemon = try MicroHTTPDaemon.start(on: endpoint, limits: limits) { method, path in
      guard let resource = resources[path] else { return .text(404, "not found") }
      guard method == "GET" || method == "HEAD" else {
        return .text(405, "only GET", allowed: "GET, HEAD")
      }
      return resource()
    }
    return HTTPServer(
      endpoint: HTTPEndpoint(address: endpoint.address, port: daemon.port),
      daemon: daemon
    )
  }

  private init(endpoint: HTTPEndpoint, daemon: consuming MicroHTTPDaemon) {
    self.endpoint = endpoint
    self.daemon = daemon
  }
}
