internal import Glibc

/// The number of an open file, closed exactly once.
///
/// A value of its own, because only a type of trivial fields may give up its `deinit`.
struct OwnedDescriptorNumber: ~Copyable, Sendable {
  let value: Int32

  deinit {
    _ = Glibc.close(value)
  }

  /// Closes now: 0 or `errno`.
  consuming func close() -> Int32 {
    let value = value
    discard self
    return Glibc.close(value) == 0 ? 0 : errno
  }

  consuming func release() -> Int32 {
    let value = value
    discard self
    return value
  }
}
