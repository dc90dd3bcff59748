internal import CLinux
package import FileSystem
internal import Glibc
package import JSON

/// One end of the socket between a worker and its child: JSON messages, some with open files.
///
/// A message is eight bytes of header (byte count and descriptor count, both 32-bit big endian) and
/// compact JSON. Descriptors travel with the header. Both counts are checked before anything is
/// allocated. Sending may be done from any thread; receiving by one thread at a time.
package final class MessageChannel: Sendable {
  /// The longest message: the resolved settings and the report of a render are a few kilobytes.
  package static let byteLimit = 16 << 20
  /// The most files of one message: an input, and the outputs of the longest recipe, each with one beside it.
  package static let descriptorLimit = 80

  private let socket: FileDescriptor
  private let sending = Locked(())

  package init(_ socket: consuming FileDescriptor) {
    self.socket = socket
  }

  /// Two connected ends.
  package static func pair() throws(ChannelError) -> (MessageChannel, OpenFile) {
    var ends: [Int32] = [-1, -1]
    let result = unsafe rawmill_socket_pair(&ends)
    if result < 0 { throw .system(SystemError(errorNumber: -result, call: "socketpair")) }
    return (
      MessageChannel(FileDescriptor(owning: ends[0])), OpenFile(FileDescriptor(owning: ends[1]))
    )
  }

  /// Sends a message with files, which stay open here.
  package func send(_ value: JSONValue, files: [OpenFile] = []) throws(ChannelError) {
    let body = value.bytes()
    guard body.count <= MessageChannel.byteLimit else {
      throw .tooLong(byteCount: body.count, limit: MessageChannel.byteLimit)
    }
    guard files.count <= MessageChannel.descriptorLimit else {
      throw .descriptorCount(expected: MessageChannel.descriptorLimit, received: files.count)
    }
    let bytes =
      MessageChannel.bigEndian(UInt32(body.count)) + MessageChannel.bigEndian(UInt32(files.count))
      + body
    try sending.withLock { _ throws(ChannelError) in
      try write(bytes, descriptors: files.map { $0.descriptor.rawValue })
      // The descriptors were in flight only as numbers: the files must live until here.
      withExtendedLifetime(files) {}
    }
  }

  /// Waits for a message until `deadline` in monotonic time; nil waits for ever.
  ///
  /// - Throws: `closed` when the other end has gone, `timedOut` at the deadline.
  package func receive(
    deadline: Duration? = nil
  ) throws(ChannelError) -> (value: JSONValue, files: [OpenFile]) {
    let (header, files) = try read(8, descriptorCapacity: MessageChannel.descriptorLimit, deadline)
    let byteCount = MessageChannel.integer(header[0..<4])
    let fileCount = MessageChannel.integer(header[4..<8])
    guard byteCount <= MessageChannel.byteLimit else {
      throw .tooLong(byteCount: byteCount, limit: MessageChannel.byteLimit)
    }
    guard fileCount == files.count else {
      throw .descriptorCount(expected: fileCount, received: files.count)
    }
    let (body, _) = try read(byteCount, descriptorCapacity: 0, deadline)
    do throws(JSONError) {
      let limits = JSONLimits(byteCount: MessageChannel.byteLimit)
      return (try JSONParser.parse(body, limits: limits), files)
    } catch {
      throw .malformed(error)
    }
  }

  /// Ends the conversation from any thread: whoever waits in `receive` gets `closed`.
  package func shutDown() {
    _ = rawmill_shutdown(socket.rawValue)
  }

  private func write(_ bytes: [UInt8], descriptors: [Int32]) throws(ChannelError) {
    var sent = 0
    while sent < bytes.count {
      let numbers = sent == 0 ? descriptors : []
      let count = unsafe bytes.span.withUnsafeBytes { buffer in
        // `sent` is below the count, so the address is within the buffer.
        unsafe rawmill_send(
          socket.rawValue,
          buffer.baseAddress.map { unsafe $0 + sent },
          buffer.count - sent,
          numbers,
          Int32(numbers.count)
        )
      }
      guard count > 0 else { throw MessageChannel.failure(-count, "sendmsg") }
      sent += count
    }
  }

  private func read(
    _ count: Int,
    descriptorCapacity: Int,
    _ deadline: Duration?
  ) throws(ChannelError) -> (bytes: [UInt8], files: [OpenFile]) {
    var bytes = [UInt8](repeating: 0, count: count)
    var files: [OpenFile] = []
    var filled = 0
    while filled < count {
      try wait(deadline)
      var numbers = [Int32](repeating: -1, count: max(1, descriptorCapacity))
      // Files come with the first byte of a message and with no other.
      var numberCount = Int32(filled == 0 ? descriptorCapacity : 0)
      var span = bytes.mutableSpan
      let received = unsafe span.withUnsafeMutableBytes { buffer in
        unsafe rawmill_receive(
          socket.rawValue,
          buffer.baseAddress.map { unsafe $0 + filled },
          buffer.count - filled,
          &numbers,
          &numberCount
        )
      }
      // Owned from here on, whatever is thrown below.
      files += numbers.prefix(Int(numberCount)).map { OpenFile(FileDescriptor(owning: $0)) }
      if received == 0 { throw .closed }
      guard received > 0 else { throw MessageChannel.failure(-received, "recvmsg") }
      filled += received
    }
    return (bytes, files)
  }

  private func wait(_ deadline: Duration?) throws(ChannelError) {
    while true {
      var milliseconds: Int32 = -1
      if let deadline {
        let left = deadline - SystemInformation.monotonicTime
        guard left > .zero else { throw .timedOut }
        // Rounded up, so that the last wait does not spin.
        milliseconds = Int32(clamping: Int64(left / .milliseconds(1)) + 1)
      }
      let ready = rawmill_wait_readable(socket.rawValue, milliseconds)
      if ready > 0 { return }
      if ready < 0 { throw MessageChannel.failure(Int(-ready), "poll") }
    }
  }

  private static func failure(_ number: Int, _ call: String) -> ChannelError {
    switch Int32(number) {
    case EPIPE, ECONNRESET: .closed
    case EMSGSIZE: .descriptorCount(expected: 0, received: descriptorLimit + 1)
    default: .system(SystemError(errorNumber: Int32(number), call: call))
    }
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
