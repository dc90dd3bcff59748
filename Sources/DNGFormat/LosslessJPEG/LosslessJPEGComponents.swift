/// The components of a scan as a constant, for loops that are compiled for each.
protocol LosslessJPEGComponents {
  static var count: Int { get }
}

extension LosslessJPEGComponents {
  /// The pairs of samples after which the components start anew.
  static var pairs: Int { count == 3 ? 3 : 1 }
  /// The samples of those pairs.
  static var samples: Int { 2 * pairs }
}

enum OneComponent: LosslessJPEGComponents {
  static var count: Int { 1 }
}

enum TwoComponents: LosslessJPEGComponents {
  static var count: Int { 2 }
}

enum ThreeComponents: LosslessJPEGComponents {
  static var count: Int { 3 }
}
