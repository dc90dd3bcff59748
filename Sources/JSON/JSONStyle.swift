/// How JSON is written.
package enum JSONStyle: Equatable, Sendable {
  /// One line without spaces, members in their order.
  case compact
  /// One member or element a line, indented by two spaces, members in their order.
  case pretty
  /// RFC 8785 (JSON Canonicalization Scheme): the same bytes for equal values. Numbers are doubles
  /// there, so integers beyond 2^53 lose their last digits.
  case canonical
}
