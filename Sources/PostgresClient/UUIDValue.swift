/// A 128-bit value as PostgreSQL's `uuid` holds it; every bit is free.
package struct UUIDValue: Hashable, Sendable {
  /// The first eight bytes, big-endian.
  package let high: UInt64
  /// The last eight bytes, big-endian.
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
