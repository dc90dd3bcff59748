internal import FileSystem
internal import Glibc
internal import Synchronization

/// Bytes on their way to a descriptor, and the first thing that went wrong with them.
final class OutputStream: Sendable {
  private struct State {
    var failure: SystemError?
    var hasWritten = false
  }

  private let descriptor: Int32
  /// Held while bytes are written, so that those of two threads don't mix.
  private let state = Mutex(State())

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The first failure; nil as long as everything arrived.
  var failure: SystemError? { state.withLock { $0.failure } }

  /// Writes all bytes, waiting for a reader that is slow; none after a failure.
  func write(_ bytes: [UInt8]) {
    state.withLock { state in
      guard state.failure == nil, !bytes.isEmpty else { return }
      state.hasWritten = true
      state.failure = Self.writeAll(bytes, to: descriptor)
    }
  }

  /// What a network file system says only when a descriptor of the file is closed (close(2): EDQUOT,
  /// ENOSPC, EIO); else the first failure.
  func finish() -> SystemError? {
    state.withLock { state in
      guard state.failure == nil, state.hasWritten else { return state.failure }
      // A copy, because others may still want to write.
      let copy = dup(descriptor)
      guard copy >= 0 else { return nil }
      // Linux has let go of a descriptor whose close was interrupted.
      if close(copy) != 0, errno != EINTR {
        state.failure = SystemError(errorNumber: errno, call: "close")
      }
      return state.failure
    }
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> SystemError? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
        continue
      }
      let number = errno
      switch number {
      case EINTR: continue
      case EAGAIN where count < 0:
        // Somebody who shares the descriptor has made it one that does not wait.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&wait, 1, -1)
      default:
        return SystemError(errorNumber: count == 0 ? EIO : number, call: "write")
      }
    }
    return nil
  }
}
