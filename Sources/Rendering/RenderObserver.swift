/// Hears where a render is; called on the thread that renders.
package struct RenderObserver {
  /// A stage has begun: `decode`, `develop`, or `encode` and the output's id.
  package var stage: (_ name: String) -> Void
  /// So much of the whole is done, 0 to 1; never falls.
  package var progress: (_ fraction: Double) -> Void

  package init(
    stage: @escaping (_ name: String) -> Void = { _ in },
    progress: @escaping (_ fraction: Double) -> Void = { _ in }
  ) {
    self.stage = stage
    self.progress = progress
  }
}
