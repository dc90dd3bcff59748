import Glibc

/// A TCP connection to localhost that sends whatever bytes a test wants.
final class RawClient {
  private let descriptor: Int32

  /// Connects; nil where that fails.
  init?(port: UInt16, timeoutSeconds: Int = 20) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
    unsafe setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_RCVTIMEO,
      &limit,
      socklen_t(MemoryLayout<timeval>.size)
    )
    unsafe setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_SNDTIMEO,
      &limit,
      socklen_t(MemoryLayout<timeval>.size)
    )
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, size)
      }
    }
    if result != 0 { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Sends bytes; false if the server does not take them.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Everything up to the end of the connection, or nil if the server keeps it open too long.
  func readAll() -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      // A reset is an end as well: the server closed with bytes unread.
      if count < 0 {
        return errno == EAGAIN ? nil : String(decoding: bytes, as: UTF8.self)
      }
      bytes += buffer.prefix(count)
    }
  }

  /// What a server answers to one request on a connection of its own.
  static func answer(to request: String, port: UInt16) -> String? {
    guard let client = RawClient(port: port) else { return nil }
    client.send(request)
    return client.readAll()
  }

  /// A GET that asks for the connection's end.
  static func get(_ path: String, port: UInt16) -> String? {
    answer(to: "GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", port: port)
  }
}
