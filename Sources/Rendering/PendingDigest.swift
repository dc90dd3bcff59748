internal import Digest
internal import Dispatch
internal import Raster
internal import Synchronization

/// The SHA-256 of bytes that is computed beside other work, where there is more than one lane.
///
/// A digest is one chain of steps: it can't be spread over lanes, only run beside them.
final class PendingDigest: Sendable {
  private let group = DispatchGroup()
  private let digest = Mutex<SHA256Digest?>(nil)

  /// Starts to hash; with one lane the digest is there on return.
  init(of bytes: [UInt8], scheduler: TileScheduler) {
    guard scheduler.laneCount > 1 else {
      digest.withLock { $0 = SHA256.digest(of: bytes) }
      return
    }
    DispatchQueue.global().async(group: group) {
      let value = SHA256.digest(of: bytes)
      self.digest.withLock { $0 = value }
    }
  }

  /// The digest; waits for it.
  var value: SHA256Digest {
    group.wait()
    guard let value = digest.withLock({ $0 }) else {
      preconditionFailure("the digest was computed before the group ended")
    }
    return value
  }
}
