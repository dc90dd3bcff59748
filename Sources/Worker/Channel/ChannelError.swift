package import Diagnostics
package import FileSystem
package import JSON

/// Why a message did not pass between a worker and its child.
package enum ChannelError: Error, Equatable, Sendable {
  /// The other end is gone.
  case closed
  /// The deadline passed first.
  case timedOut
  /// A message longer than any that the protocol has.
  case tooLong(byteCount: Int, limit: Int)
  /// Other descriptors than the message's header says.
  case descriptorCount(expected: Int, received: Int)
  /// The message is not the JSON of the protocol.
  case malformed(JSONError)
  /// A message of a type that has no place here.
  case unexpected(type: String)
  /// The other side speaks another version.
  case version(Int, supported: Int)
  case system(SystemError)
}

extension ChannelError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .closed: "childClosed"
    case .timedOut: "childTimedOut"
    case .tooLong: "childMessageTooLong"
    case .descriptorCount: "childDescriptorCount"
    case .malformed: "childMessageMalformed"
    case .unexpected: "childMessageUnexpected"
    case .version: "childProtocolVersion"
    case .system(let error): error.code
    }
  }

  package var message: String {
    switch self {
    case .closed: "the other process closed the connection"
    case .timedOut: "the other process did not answer in time"
    case .tooLong(let count, let limit):
      "a message of \(count) bytes is longer than the \(limit) that the protocol allows"
    case .descriptorCount(let expected, let received):
      "a message came with \(received) descriptors instead of \(expected)"
    case .malformed(let error): "a message is malformed: \(error.message)"
    case .unexpected(let type):
      "a message of type \(JSONValue.string(type).text()) has no place here"
    case .version(let version, let supported):
      "the other process speaks version \(version) of the protocol, this one \(supported)"
    case .system(let error): error.message
    }
  }

  package var disposition: Disposition {
    switch self {
    case .version: .fatalWorker
    case .system(let error): error.disposition
    case .closed, .timedOut, .tooLong, .descriptorCount, .malformed, .unexpected: .transient
    }
  }
}
