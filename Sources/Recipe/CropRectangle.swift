/// A part of a picture as it is seen: edges from 0 to 1 of its width and height (`extra.crop`).
package struct CropRectangle: Equatable, Sendable {
  package var left: Double
  package var top: Double
  package var right: Double
  package var bottom: Double

  package init(left: Double = 0, top: Double = 0, right: Double = 1, bottom: Double = 1) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// Nothing is cut off.
  package static let whole = CropRectangle()
}
