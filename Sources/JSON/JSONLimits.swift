/// How much JSON is accepted from a text that others wrote.
package struct JSONLimits: Equatable, Sendable {
  /// Bytes of the whole text.
  package var byteCount: Int
  /// Levels of arrays and objects.
  package var depth: Int

  package init(byteCount: Int = 16 << 20, depth: Int = 64) {
    self.byteCount = byteCount
    self.depth = depth
  }
}
