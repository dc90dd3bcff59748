internal import Glibc

/// A value that one thread at a time may touch.
///
/// Over pthread_mutex and not `Synchronization.Mutex`, whose futex ThreadSanitizer does not see on Linux.
// @unchecked: `value` is touched under the mutex only, which `storage` keeps at one address.
@safe
final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  init(_ value: consuming Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    self.value = value
  }

  deinit {
    // Nobody else holds a reference, so nobody is inside.
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` alone; it must not call back into the same lock.
  func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
