internal import Dispatch
internal import Synchronization

/// A network between workers and a server, which may lose its way.
///
/// A partition holds bytes back, as TCP does while it resends; they arrive when it heals, unless the
/// connection is reset.
final class Proxy: Sendable {
  struct Weather: Equatable, Sendable {
    /// Nothing from the workers arrives.
    var holdsToServer = false
    /// Nothing from the server arrives.
    var holdsToClient = false
    /// New connections are refused.
    var refuses = false
    /// Of a hundred pieces so many arrive `delayMilliseconds` late, as after a loss.
    var lossPercent = 0
    var delayMilliseconds: Int64 = 200
  }

  let port: Int
  private let serverPort: Mutex<Int>
  private let listener: NetworkSocket
  private let weather = Mutex(Weather())
  private let pairs = Mutex<[(NetworkSocket, NetworkSocket)]>([])
  private let isStopped = Atomic<Bool>(false)

  /// A way to a server on the loopback.
  init(to serverPort: Int) throws {
    self.serverPort = Mutex(serverPort)
    listener = try NetworkSocket.listening(host: "127.0.0.1", port: 0)
    port = try listener.localPort()
  }

  func start() {
    DispatchQueue(label: "proxy").async { self.accept() }
  }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    listener.end()
    reset()
  }

  func set(_ new: Weather) { weather.withLock { $0 = new } }

  /// Breaks every connection.
  func reset() {
    pairs.withLock { list in
      for (client, server) in list {
        client.end()
        server.end()
      }
    }
  }

  private func accept() {
    while let client = listener.accepted() {
      if weather.withLock(\.refuses) {
        client.close()
        continue
      }
      guard
        let server = NetworkSocket.connected(host: "127.0.0.1", port: serverPort.withLock(\.self))
      else {
        client.close()
        continue
      }
      pairs.withLock { $0.append((client, server)) }
      // Each direction has a thread of its own; the numbers stay open until both are at their end.
      let open = Counter(2)
      pump(client, server, open) { $0.holdsToServer }
      pump(server, client, open) { $0.holdsToClient }
    }
    listener.close()
  }

  private func pump(
    _ from: NetworkSocket,
    _ to: NetworkSocket,
    _ open: Counter,
    _ holds: @escaping @Sendable (Weather) -> Bool
  ) {
    DispatchQueue(label: "pump").async {
      var dice = Schedule(seed: UInt64(from.number))
      while !self.isStopped.load(ordering: .relaxed) {
        if self.weather.withLock({ holds($0) }) {
          // What the other side says meanwhile stays in the buffers; a reset is noticed by `to`.
          guard self.isOpen(from) else { break }
          Wait.pause(.milliseconds(20))
          continue
        }
        guard from.isReadable(within: 100) else { continue }
        if self.weather.withLock({ holds($0) }) { continue }
        let bytes = from.received()
        if bytes.isEmpty { break }
        let now = self.weather.withLock(\.self)
        if Int(dice.next() % 100) < now.lossPercent {
          Wait.pause(.milliseconds(now.delayMilliseconds))
        }
        guard to.sent(bytes) else { break }
      }
      from.end()
      to.end()
      if open.countDown() {
        self.pairs.withLock {
          $0.removeAll { $0.0.number == from.number || $0.1.number == from.number }
        }
        from.close()
        to.close()
      }
    }
  }

  private func isOpen(_ socket: NetworkSocket) -> Bool {
    pairs.withLock { $0.contains { $0.0.number == socket.number || $0.1.number == socket.number } }
      && !isStopped.load(ordering: .relaxed)
  }

  /// Counts down to zero once.
  private final class Counter: Sendable {
    private let value: Atomic<Int>
    init(_ count: Int) { value = Atomic(count) }
    func countDown() -> Bool { value.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
  }
}
