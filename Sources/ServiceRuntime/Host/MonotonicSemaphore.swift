internal import Glibc

/// A counting semaphore whose timeouts do not follow the wall clock.
///
/// Dispatch's waits with a timeout are `sem_timedwait` on Linux, which counts by `CLOCK_REALTIME`: when
/// the host's clock is set back by an hour, a wait of half a second takes an hour, and a heartbeat
/// that waits so costs the worker its leases.
// @unchecked: `count` is touched with `mutex` held only; the two pointers never change.
@safe
package final class MonotonicSemaphore: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var count = 0

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    var attributes = pthread_condattr_t()
    // None of these fails on Linux with valid arguments (pthread_cond_init(3p)).
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    // Nobody waits: a waiter holds a reference.
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Lets one who waits go on, now or later.
  package func signal() {
    unsafe pthread_mutex_lock(mutex)
    count += 1
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Waits for a signal, and says whether it came before `timeout` was over.
  package func wait(timeout: Duration) -> Bool {
    var end = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &end)
    // A day at most, so that no sum overflows; who waits longer asks again.
    let length = min(max(timeout, .zero), .seconds(86_400)).components
    end.tv_sec += Int(length.seconds)
    end.tv_nsec += Int(length.attoseconds / 1_000_000_000)
    if end.tv_nsec >= 1_000_000_000 {
      end.tv_sec += 1
      end.tv_nsec -= 1_000_000_000
    }
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while count == 0 {
      // Anything but a wake-up, spurious or not, is the end of the time.
      guard unsafe pthread_cond_timedwait(condition, mutex, &end) == 0 else { break }
    }
    guard count > 0 else { return false }
    count -= 1
    return true
  }
}
