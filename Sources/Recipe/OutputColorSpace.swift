/// A colour space that outputs can have.
package enum OutputColorSpace: String, CaseIterable, Sendable {
  case displayP3
}
