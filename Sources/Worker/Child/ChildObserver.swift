/// Tells the worker where a render is.
package struct ChildObserver: Sendable {
  private let report: @Sendable (ChildResponse) -> Void

  package init(report: @escaping @Sendable (ChildResponse) -> Void) {
    self.report = report
  }

  /// A stage has begun.
  package func stage(_ name: String) {
    report(.stage(name))
  }

  /// So much of the stage is done, 0 to 1.
  package func progress(_ fraction: Double) {
    report(.progress(fraction))
  }
}
