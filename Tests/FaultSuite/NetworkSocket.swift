internal import Glibc

/// A TCP socket of the IPv4 loopback or any address, by its number; closed by hand.
struct NetworkSocket: Sendable {
  let number: Int32

  /// Listens on a port; 0: any free one.
  static func listening(host: String, port: Int) throws -> NetworkSocket {
    let socket = try make()
    var yes: Int32 = 1
    _ = unsafe setsockopt(
      socket.number,
      SOL_SOCKET,
      SO_REUSEADDR,
      &yes,
      socklen_t(MemoryLayout<Int32>.size)
    )
    let result = try unsafe withAddress(host, port) { unsafe bind(socket.number, $0, $1) }
    guard result == 0, listen(socket.number, 64) == 0 else {
      let error = errno
      socket.close()
      throw SuiteError.system(call: "bind", errorNumber: error)
    }
    return socket
  }

  /// Connects; nil if nobody answers.
  static func connected(host: String, port: Int) -> NetworkSocket? {
    guard let socket = try? make() else { return nil }
    let result = try? unsafe withAddress(host, port) { unsafe connect(socket.number, $0, $1) }
    guard result == 0 else {
      socket.close()
      return nil
    }
    return socket
  }

  private static func make() throws -> NetworkSocket {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw SuiteError.system(call: "socket", errorNumber: errno) }
    var yes: Int32 = 1
    _ = unsafe setsockopt(
      number,
      Int32(IPPROTO_TCP),
      TCP_NODELAY,
      &yes,
      socklen_t(MemoryLayout<Int32>.size)
    )
    return NetworkSocket(number: number)
  }

  private static func withAddress<Result>(
    _ host: String,
    _ port: Int,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) throws -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
      throw SuiteError.system(call: "inet_pton", errorNumber: EINVAL)
    }
    // The address outlives the call, which reads it as what it begins with.
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  func localPort() throws -> Int {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(number, $0, &size)
      }
    }
    guard result == 0 else { throw SuiteError.system(call: "getsockname", errorNumber: errno) }
    return Int(in_port_t(bigEndian: address.sin_port))
  }

  /// The next connection; nil once the socket was shut down.
  func accepted() -> NetworkSocket? {
    let next = accept(number, nil, nil)
    return next < 0 ? nil : NetworkSocket(number: next)
  }

  /// Whether there is something to read, or an end, within the time.
  func isReadable(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, milliseconds) > 0
  }

  /// What there is to read; empty at the end or after an error.
  func received() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = unsafe recv(number, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Sends everything; false if that failed.
  func sent(_ bytes: [UInt8]) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe send(
          number,
          buffer.baseAddress?.advanced(by: offset),
          bytes.count - offset,
          Int32(MSG_NOSIGNAL)
        )
      }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }

  func end() { _ = shutdown(number, Int32(SHUT_RDWR)) }
  func close() { _ = Glibc.close(number) }
}
