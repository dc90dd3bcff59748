package import Diagnostics
internal import Glibc

/// Why a sink could not take an encoder's bytes.
package enum ByteSinkError: Error, Equatable, Sendable {
  /// The target has no room left: ENOSPC, EDQUOT or EFBIG.
  case outOfSpace(errno: Int32, offset: Int)
  /// The system refused the write for another reason.
  case writeFailed(errno: Int32, offset: Int)

  /// The case that belongs to what the system said of a write at `offset`.
  package init(errno: Int32, offset: Int) {
    switch errno {
    case ENOSPC, EDQUOT, EFBIG: self = .outOfSpace(errno: errno, offset: offset)
    default: self = .writeFailed(errno: errno, offset: offset)
    }
  }
}

extension ByteSinkError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .outOfSpace: "outputOutOfSpace"
    case .writeFailed: "outputWriteFailed"
    }
  }

  package var message: String {
    switch self {
    case .outOfSpace(let errno, let offset):
      "no room for the output at byte \(offset): \(Self.describe(errno))"
    case .writeFailed(let errno, let offset):
      "the output can't be written at byte \(offset): \(Self.describe(errno))"
    }
  }

  package var disposition: Disposition {
    switch self {
    case .outOfSpace: .resource
    case .writeFailed: .transient
    }
  }

  /// The system's words for an errno, without strerror's shared buffer.
  private static func describe(_ errno: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    // The XSI form writes a terminated string into the buffer that is ours, or fails.
    let status = unsafe buffer.withUnsafeMutableBufferPointer { text in
      guard let start = text.baseAddress else { return Int32(EINVAL) }
      return unsafe strerror_r(errno, start, text.count)
    }
    guard status == 0 else { return "errno \(errno)" }
    let text = String(
      decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
      as: UTF8.self
    )
    return "\(text) (errno \(errno))"
  }
}
