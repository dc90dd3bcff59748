internal import Glibc

/// The kernel's mark of the largest resident size.
enum ProcessPeak {
  /// Sets the mark back to the present size, so that each bench has a peak of its own.
  ///
  /// Where the kernel refuses (`/proc/self/clear_refs` is not writable in some containers) peaks are
  /// those of the process so far.
  static func reset() {
    let descriptor = unsafe open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    // 5: reset the peak resident set size (proc(5)).
    _ = unsafe write(descriptor, "5", 1)
    close(descriptor)
  }
}
