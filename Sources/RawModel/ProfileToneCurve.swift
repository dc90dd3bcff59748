/// The tone curve that a profile brings (ProfileToneCurve, 50940): points that a cubic spline joins.
///
/// DNG 1.7.1 chapter 6, "ProfileToneCurve". Points as stored; Develop checks them.
package struct ProfileToneCurve: Equatable, Sendable {
  package struct Point: Equatable, Sendable {
    package var x: Float
    package var y: Float

    package init(x: Float, y: Float) {
      self.x = x
      self.y = y
    }
  }

  package var points: [Point]

  package init(points: [Point]) {
    self.points = points
  }
}
