internal import CMicroHTTPD
internal import Glibc

// Every call of libmicrohttpd stands in this file.

/// A daemon of libmicrohttpd, ended at the end of its life.
@safe
struct MicroHTTPDaemon: ~Copyable {
  private let server: UnsafeMutableRawPointer
  /// What the daemon's thread calls; retained as long as the daemon runs.
  private let handler: Unmanaged<Handler>

  /// What the C callback gets as its context.
  private final class Handler {
    let answer: @Sendable (_ method: String, _ path: String) -> HTTPAnswer

    init(_ answer: @escaping @Sendable (_ method: String, _ path: String) -> HTTPAnswer) {
      self.answer = answer
    }
  }

  private init(server: UnsafeMutableRawPointer, handler: Unmanaged<Handler>) {
    unsafe self.server = server
    unsafe self.handler = handler
  }

  deinit {
    // After this no callback runs, so the handler may go.
    unsafe rawmill_http_stop(server)
    unsafe handler.release()
  }

  /// The port that it listens on.
  var port: UInt16 { unsafe rawmill_http_port(server) }

  static func start(
    on endpoint: HTTPEndpoint,
    limits: HTTPServer.Limits,
    _ answer: @escaping @Sendable (_ method: String, _ path: String) -> HTTPAnswer
  ) throws(HTTPError) -> MicroHTTPDaemon {
    let handler = unsafe Unmanaged.passRetained(Handler(answer))
    let server = unsafe rawmill_http_start(
      endpoint.address,
      endpoint.port,
      rawmill_http_limits(
        connections: UInt32(limits.connections),
        connections_per_address: UInt32(limits.connectionsPerAddress),
        idle_seconds: UInt32(limits.idleSeconds),
        header_bytes: limits.headerBytes
      ),
      { context, connection, method, path in
        guard let context = unsafe context, let connection = unsafe connection,
          let method = unsafe method, let path = unsafe path
        else { return 0 }
        // The daemon that calls holds a reference until it has ended.
        let handler = unsafe Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        return unsafe MicroHTTPDaemon.send(
          handler.answer(String(cString: method), String(cString: path)),
          on: connection
        )
      },
      handler.toOpaque()
    )
    guard let server = unsafe server else {
      let number = errno
      unsafe handler.release()
      throw .cannotListen(
        endpoint: endpoint.description,
        reason: unsafe String(cString: strerror(number))
      )
    }
    return unsafe MicroHTTPDaemon(server: server, handler: handler)
  }

  private static func send(_ answer: HTTPAnswer, on connection: UnsafeMutableRawPointer) -> Int32 {
    let allowed = answer.allowed
    return unsafe answer.body.withUnsafeBytes { bytes in
      unsafe rawmill_http_answer(
        connection,
        UInt32(answer.status),
        answer.contentType,
        allowed == nil ? nil : "Allow",
        allowed,
        bytes.baseAddress,
        bytes.count
      )
    }
  }

  static func isAddress(_ text: String) -> Bool { unsafe rawmill_http_is_address(text) == 1 }
}
