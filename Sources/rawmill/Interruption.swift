internal import ServiceRuntime
internal import Worker

/// Has SIGINT and SIGTERM stop a one-shot command, so that it leaves no file behind.
enum Interruption {
  /// Interrupts the requests of `oneShot` when the process is asked to stop.
  static func stopping(_ oneShot: OneShot) -> OneShot {
    let stop = StopSignal.install()
    Task.detached {
      for await _ in stop.requests { oneShot.interrupt() }
    }
    return oneShot
  }
}
