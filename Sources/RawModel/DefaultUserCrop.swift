/// The part of the default crop that the photographer chose (DefaultUserCrop, 51125): edges from 0 to 1
/// of its height and width.
package struct DefaultUserCrop: Equatable, Sendable {
  package var top: Double
  package var left: Double
  package var bottom: Double
  package var right: Double

  /// The whole default crop.
  package static let whole = DefaultUserCrop(top: 0, left: 0, bottom: 1, right: 1)

  package init(top: Double, left: Double, bottom: Double, right: Double) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}
