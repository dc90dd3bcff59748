import Diagnostics
import FileSystem
import JSON
import ProcessControl
import Testing
import Worker

@Suite struct WorkerErrorTests {
  @Test(
    arguments: [
      (.inputChanged("/a", detail: "d"), "inputChanged", .permanent, false),
      (.inputNotAFile("/a"), "inputNotAFile", .permanent, false),
      (.inputTooLarge("/a", byteCount: 2, limit: 1), "inputTooLarge", .permanent, false),
      (.childCrashed(.signal(11), stage: nil, lastWords: ""), "childCrashed", .transient, true),
      (
        .childOutOfMemory(limit: 1 << 30, stage: nil, lastWords: ""), "outOfMemory", .resource,
        false
      ),
      (.wallLimitExceeded(seconds: 1, stage: nil), "wallLimitExceeded", .transient, true),
      (.childProtocol(.closed), "childClosed", .transient, true),
      (
        .childNotStarted(SystemError(errorNumber: 2, call: "c")), "childNotStarted", .hostFault,
        false
      ),
      (
        .child(RemoteFailure(code: "x", message: "m", disposition: .resource)), "x", .resource,
        false
      ),
      (.reportInvalid(detail: "d"), "reportInvalid", .transient, true),
      (.outputExists("/a"), "outputExists", .permanent, false),
      (.outputTwice("/a"), "outputTwice", .permanent, false),
      (.outputUnverified("/a", detail: "d"), "outputUnverified", .transient, false),
      (.outputUnproven("/a", detail: "d"), "outputUnproven", .permanent, false),
      (.originalNotKept("/a", detail: "d"), "originalNotKept", .permanent, false),
      (.rootNotMounted(root: "r", folder: nil), "rootNotMounted", .hostFault, false),
      (.pathOutsideRoot("a"), "pathOutsideRoot", .permanent, false),
      (.interrupted, "interrupted", .transient, false),
      (.system(SystemError(errorNumber: 28, call: "c")), "diskFull", .resource, false),
    ] as [(WorkerError, ErrorCode, Disposition, Bool)]
  )
  func codeAndDisposition(
    error: WorkerError,
    code: ErrorCode,
    disposition: Disposition,
    isCrash: Bool
  ) {
    #expect(error.code == code)
    #expect(error.disposition == disposition)
    #expect(error.isCrash == isCrash)
    #expect(!error.message.isEmpty)
  }

  @Test(
    arguments: [
      (.closed, "childClosed", .transient), (.timedOut, "childTimedOut", .transient),
      (.tooLong(byteCount: 2, limit: 1), "childMessageTooLong", .transient),
      (.descriptorCount(expected: 1, received: 2), "childDescriptorCount", .transient),
      (.malformed(.missingMember(key: "k")), "childMessageMalformed", .transient),
      (.unexpected(type: "t"), "childMessageUnexpected", .transient),
      (.version(2, supported: 1), "childProtocolVersion", .fatalWorker),
      (.system(SystemError(errorNumber: 12, call: "c")), "outOfMemory", .resource),
    ] as [(ChannelError, ErrorCode, Disposition)]
  )
  func channelErrors(error: ChannelError, code: ErrorCode, disposition: Disposition) {
    #expect(error.code == code)
    #expect(error.disposition == disposition)
  }

  @Test(arguments: [
    Disposition.permanent, .transient, .resource, .hostFault, .fatalWorker,
  ])
  func dispositionsCrossTheProcessBorder(disposition: Disposition) throws {
    let failure = RemoteFailure(code: "c", message: "m", disposition: disposition)
    guard case .failure(let received) = try ChildResponse(json: ChildResponse.failure(failure).json)
    else {
      Issue.record("no failure")
      return
    }
    #expect(received == failure)
  }
}
