import FileSystem
import Glibc
import JSON
import TestSupport
import Testing
import Worker

@Suite struct MessageChannelTests {
  private func pair() throws -> (MessageChannel, MessageChannel) {
    let (first, other) = try MessageChannel.pair()
    return (first, MessageChannel(try other.descriptor.duplicate()))
  }

  /// A message as bytes, to send what a channel would not.
  private func raw(_ byteCount: UInt32, files: UInt32, _ body: String) -> [UInt8] {
    func bigEndian(_ value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    return bigEndian(byteCount) + bigEndian(files) + Array(body.utf8)
  }

  @Test func carriesMessagesInOrder() throws {
    let (left, right) = try pair()
    try left.send(["a": 1])
    try left.send("b")
    #expect(try right.receive().value == ["a": 1])
    #expect(try right.receive().value == "b")
  }

  @Test func carriesOpenFiles() throws {
    let (left, right) = try pair()
    let folder = try TemporaryDirectory()
    let path = try folder.write([1, 2, 3], to: "a")
    let files = try (0..<2).map { _ in OpenFile(try FileDescriptor.open(path, .read)) }
    try left.send("files", files: files)
    try left.send("none")
    let received = try right.receive().files
    #expect(received.count == 2)
    #expect(received[0].descriptor.rawValue != files[0].descriptor.rawValue)
    #expect(try received[1].descriptor.readAll(limit: 10) == [1, 2, 3])
    #expect(try right.receive().files.isEmpty)
  }

  @Test func carriesMessagesLargerThanTheSocketBuffer() throws {
    let (left, right) = try pair()
    let text = String(repeating: "x", count: 3 << 20)
    let receiver = BackgroundWork { try? right.receive().value }
    try left.send(JSONValue(text))
    #expect(receiver.value() == JSONValue(text))
  }

  @Test func endsAtTheDeadlineAndAtTheEnd() throws {
    let (left, right) = try pair()
    #expect(throws: ChannelError.timedOut) {
      _ = try right.receive(deadline: SystemInformation.monotonicTime + .milliseconds(5))
    }
    left.shutDown()
    #expect(throws: ChannelError.closed) { _ = try right.receive() }
    #expect(throws: ChannelError.closed) { try right.send("x") }
  }

  @Test func shutDownWakesTheReceiver() throws {
    let (left, right) = try pair()
    let receiver = BackgroundWork { () -> ChannelError? in
      do throws(ChannelError) {
        _ = try right.receive()
        return nil
      } catch {
        return error
      }
    }
    right.shutDown()
    #expect(receiver.value() == .closed)
    _ = left
  }

  @Test func refusesWhatIsNoMessage() throws {
    func error(of bytes: [UInt8]) throws -> ChannelError? {
      let (left, other) = try MessageChannel.pair()
      // Written straight to the socket.
      let written = unsafe write(other.descriptor.rawValue, bytes, bytes.count)
      #expect(written == bytes.count)
      do throws(ChannelError) {
        _ = try left.receive(deadline: SystemInformation.monotonicTime + .seconds(1))
        return nil
      } catch {
        return error
      }
    }
    #expect(
      try error(of: raw(UInt32.max, files: 0, ""))
        == .tooLong(byteCount: Int(UInt32.max), limit: MessageChannel.byteLimit)
    )
    #expect(
      try error(of: raw(2, files: 3, "{}")) == .descriptorCount(expected: 3, received: 0)
    )
    guard case .malformed = try error(of: raw(2, files: 0, "{x")) else {
      Issue.record("accepted what is not JSON")
      return
    }
    #expect(try error(of: raw(3, files: 0, "{}")) == .timedOut)
  }

  @Test func carriesAsManyFilesAsTheLimitAndNoMore() throws {
    let (left, right) = try pair()
    let folder = try TemporaryDirectory()
    let path = try folder.write([1], to: "a")
    let file = OpenFile(try FileDescriptor.open(path, .read))
    #expect(throws: ChannelError.self) {
      try left.send(
        "x",
        files: Array(repeating: file, count: MessageChannel.descriptorLimit + 1)
      )
    }
    try left.send("y", files: Array(repeating: file, count: MessageChannel.descriptorLimit))
    #expect(try right.receive().files.count == MessageChannel.descriptorLimit)
  }
}
