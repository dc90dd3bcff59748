/// What is wrong in a `.cube` file, and where.
package struct CubeTableError: Error, Equatable, Sendable {
  /// From 1; nil for what concerns the whole file.
  package let line: Int?
  package let reason: String
}
