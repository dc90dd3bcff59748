internal import Glibc

/// What the suite prints.
enum Say {
  /// Prints a line, and leaves nothing in a buffer: who reads it waits for it.
  static func line(_ text: String) {
    print(text)
    _ = fflush(nil)
  }
}
