/// Where a worker stands.
package enum WorkerState: Int16, CaseIterable, Sendable {
  case active = 0
  /// It claims no more and finishes what it has.
  case draining = 1
  /// It is lost or has ended; final.
  case dead = 2
}
