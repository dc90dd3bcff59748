/// OpcodeList WarpFisheye (opcode 2): unwraps a fisheye projection.
///
/// With t = atan r, a pixel comes from `f = (kr0 t + kr1 t^3 + kr2 t^5 + kr3 t^7) / r` times its
/// distance from the centre. DNG 1.7.1 chapter 7, "WarpFisheye".
package struct WarpFisheye: Equatable, Sendable {
  /// kr0 to kr3 (4 values) for all planes, or for each.
  package var sets: [[Double]]
  package var center: OpticalCenter

  package init(sets: [[Double]], center: OpticalCenter) {
    precondition(sets.allSatisfy { $0.count == 4 })
    self.sets = sets
    self.center = center
  }
}
