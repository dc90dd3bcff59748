/// The factors that make stored pixels square (DefaultScale, 50718).
package struct DefaultScale: Equatable, Sendable {
  package var horizontal: Double
  package var vertical: Double

  package init(horizontal: Double = 1, vertical: Double = 1) {
    self.horizontal = horizontal
    self.vertical = vertical
  }
}
