/// The address of a web resource, of which only the host is ever shown: paths and queries carry keys.
package struct HTTPURL: Equatable, Sendable {
  let text: String
  /// With its port where one is given.
  package let host: String
  /// Whether it goes through TLS.
  package let isSecure: Bool

  /// Reads an absolute http or https URL without user, password or fragment.
  package init(_ text: String) throws(HTTPError) {
    guard text.utf8.count <= 4_096, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .urlRefused(
        reason: "it holds spaces, controls or more than 4096 bytes, or is not ASCII"
      )
    }
    let lower = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: { lower.hasPrefix($0) }) else {
      throw .urlRefused(reason: "it starts with neither https:// nor http://")
    }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !authority.contains("@") else {
      throw .urlRefused(reason: "it holds a user or a password")
    }
    guard !rest.contains("#") else { throw .urlRefused(reason: "it holds a fragment") }
    let allowed = "abcdefghijklmnopqrstuvwxyz0123456789.-_:[]"
    guard !authority.isEmpty, authority.lowercased().allSatisfy({ allowed.contains($0) }) else {
      throw .urlRefused(reason: "its host can't be read")
    }
    self.text = text
    host = String(authority)
    isSecure = scheme == "https://"
  }
}

extension HTTPURL: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String { "\(isSecure ? "https" : "http")://\(host)/…" }
  package var debugDescription: String { description }
}
