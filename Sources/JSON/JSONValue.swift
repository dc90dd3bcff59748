/// A JSON value with its object members in the order in which they stood.
///
/// Numbers are kept as integers where they were written as integers within 64 bits, else as finite
/// doubles. Equality of objects does not depend on the order of members, and 1 equals 1.0.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])
}
