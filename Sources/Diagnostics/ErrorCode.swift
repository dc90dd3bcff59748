/// A stable name of a kind of failure, in lower camel case, as stored in the database.
package struct ErrorCode: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package init(stringLiteral value: String) {
    self.rawValue = value
  }
}

extension ErrorCode: CustomStringConvertible {
  package var description: String { rawValue }
}
