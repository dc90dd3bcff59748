internal import Glibc

/// Keys as they are pressed, without waiting for a line and without echo.
///
/// The terminal is set back when the value ends.
package struct KeyInput: ~Copyable {
  private let saved: termios

  /// Takes the keys of standard input; nil where that is no terminal.
  package static func take() -> KeyInput? {
    var attributes = termios()
    guard isatty(0) == 1, unsafe tcgetattr(0, &attributes) == 0 else { return nil }
    let saved = attributes
    attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard unsafe tcsetattr(0, TCSANOW, &attributes) == 0 else { return nil }
    return KeyInput(saved: saved)
  }

  deinit {
    var attributes = saved
    _ = unsafe tcsetattr(0, TCSANOW, &attributes)
  }

  /// Waits a while for a key and gives its byte; nil where none was pressed.
  package borrowing func next(within duration: Duration) -> UInt8? {
    var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(clamping: Int64(duration / .milliseconds(1)))
    guard unsafe poll(&descriptor, 1, milliseconds) == 1 else { return nil }
    var byte: UInt8 = 0
    return unsafe read(0, &byte, 1) == 1 ? byte : nil
  }
}
