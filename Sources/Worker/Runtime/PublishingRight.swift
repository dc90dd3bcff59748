internal import Glibc
internal import JobModel

/// A slot's right to publish what it rendered: its lease, and that nobody stopped the job.
struct PublishingRight: Sendable {
  let slot: Int
  let lease: Lease
  let rights: Locked<[Bool]>
  let heart: Heart

  /// Whether a file may be published now.
  var isValid: Bool { isGiven && heart.standing(of: lease) == .valid }

  private var isGiven: Bool { rights.withLock { $0[slot] } }

  /// Waits while the lease is in doubt, and says whether it stands; on the slot's own thread.
  ///
  /// The fence decides in the end: what a worker keeps in the meantime costs disk, not correctness.
  func wait() -> Bool {
    while isGiven {
      switch heart.standing(of: lease) {
      case .valid: return true
      case .lost: return false
      case .inDoubt: Self.pause()
      }
    }
    return false
  }

  /// Time in which a server may come back.
  static func pause() {
    _ = usleep(100_000)
  }
}
