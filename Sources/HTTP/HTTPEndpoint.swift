/// An address and a port to listen on.
package struct HTTPEndpoint: Equatable, Sendable {
  /// A numeric IPv4 or IPv6 address.
  package let address: String
  /// 0: a free one.
  package let port: UInt16

  package init(address: String, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// Reads `127.0.0.1:9464`, `[::1]:9464`, `localhost:9464`, or a port alone, which means localhost; nil
  /// for anything else: a host name may have several addresses, or none.
  package init?(_ text: String) {
    var host = "127.0.0.1"
    var digits = text[...]
    if let colon = text.lastIndex(of: ":") {
      digits = text[text.index(after: colon)...]
      host = String(text[..<colon])
      if host.hasPrefix("["), host.hasSuffix("]") {
        host = String(host.dropFirst().dropLast())
        guard host.contains(":") else { return nil }
      } else if host.contains(":") {
        return nil
      }
      if host.isEmpty || host == "localhost" { host = "127.0.0.1" }
    }
    guard let port = UInt16(digits), digits.allSatisfy(\.isNumber), MicroHTTPDaemon.isAddress(host)
    else { return nil }
    self.init(address: host, port: port)
  }
}

extension HTTPEndpoint: CustomStringConvertible {
  package var description: String {
    address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}
