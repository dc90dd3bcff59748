import Diagnostics
import FileSystem
import Glibc
import JSON
import ProcessControl
import TestSupport
import Testing
import Worker

/// The worker's side against children that misbehave: perl scripts that speak the protocol on
/// descriptor 3.
@Suite struct ChildProcessTests {
  private static func hello(_ version: Int) -> String {
    #"{"type":"hello","version":\#(version)}"#
  }

  /// Reads the hello and answers it, then runs `then`.
  private func child(_ then: String, hello: String = ChildProcessTests.hello(ChildRequest.version))
    -> ChildLaunch
  {
    let script = #"""
      open(my $s, "+<&=3"); binmode $s; $| = 1;
      sub get { my $h; sysread($s, $h, 8) == 8 or exit 0; my $n = unpack("N", $h);
        my $b = ""; while (length $b < $n) { sysread($s, $b, $n - length $b, length $b) } $b }
      sub put { my $m = shift; syswrite($s, pack("NN", length $m, 0) . $m) }
      get();
      """# + "put('\(hello)');" + then
    return ChildLaunch(
      program: "/usr/bin/perl",
      arguments: ["-e", script],
      helloTimeout: .seconds(20)
    )
  }

  private func ask(_ launch: ChildLaunch, wallLimit: Duration = .seconds(20)) throws -> JSONValue {
    let child = try ChildProcess.start(launch)
    defer { child.end() }
    return try child.ask(.inspect(computesDigest: false), files: [], wallLimit: wallLimit).value
  }

  @Test func answersManyRequests() throws {
    let child = try ChildProcess.start(
      self.child(
        #"my $n = 0; while (1) { get(); $n++; put(qq({"type":"stage","name":"s"})); put(qq({"type":"result","value":$n,"peakBytes":7})) }"#
      )
    )
    defer { child.end() }
    for number in 1...3 {
      var events: [ChildProcess.Event] = []
      let answer = try child.ask(
        .inspect(computesDigest: false),
        files: [],
        wallLimit: .seconds(20)
      ) { events.append($0) }
      #expect(answer.value == .integer(Int64(number)))
      #expect(answer.peakBytes == 7)
      #expect(events == [.stage("s")])
    }
  }

  @Test func aFailureThatTheChildReportsLeavesItAlive() throws {
    let child = try ChildProcess.start(
      self.child(
        #"get(); put('{"type":"failure","code":"c","message":"m","disposition":"permanent"}'); get(); put('{"type":"result","value":1,"peakBytes":0}'); get()"#
      )
    )
    defer { child.end() }
    #expect(
      throws: WorkerError.child(RemoteFailure(code: "c", message: "m", disposition: .permanent))
    ) {
      _ = try child.ask(.inspect(computesDigest: false), files: [], wallLimit: .seconds(20))
    }
    let answer = try child.ask(.inspect(computesDigest: false), files: [], wallLimit: .seconds(20))
    #expect(answer.value == 1)
  }

  /// What a child says stands in a page: only base64 of a bounded size is taken, and a liar is replaced.
  @Test func smallPicturesOfAChildAreNotBelieved() throws {
    let folder = try TemporaryDirectory()
    let file = OpenFile(try FileDescriptor.open(folder.write([1], to: "a"), .read))
    func read(_ value: String) throws -> ThumbnailReader.Picture {
      let answer = "{\"type\":\"result\",\"value\":\(value),\"peakBytes\":0}"
      let launch = child("while (1) { get(); put('\(answer)') }")
      return try ThumbnailReader(launch: launch)
        .read(file, longEdge: 240, wallLimit: .seconds(20))
    }
    let picture = try read(#"{"width":240,"height":1,"jpeg":"/9j/"}"#)
    #expect((picture.width, picture.height, picture.base64) == (240, 1, "/9j/"))
    let long = String(repeating: "AAAA", count: 8_001)
    for bad in [
      #"{"width":241,"height":1,"jpeg":"/9j/"}"#, #"{"width":2,"height":0,"jpeg":"/9j/"}"#,
      #"{"width":2,"height":1,"jpeg":""}"#, #"{"width":2,"height":1,"jpeg":"<svg"}"#,
      #"{"width":2,"height":1,"jpeg":"\#(long)"}"#, #"{"width":2,"height":1}"#, "1",
    ] {
      #expect(throws: WorkerError.self, "\(bad.prefix(60))") { try read(bad) }
    }
  }

  /// One child serves until it crashes; the next file gets another one.
  @Test func aChildThatCrashesOverAPictureIsReplaced() throws {
    let folder = try TemporaryDirectory()
    let file = OpenFile(try FileDescriptor.open(folder.write([1], to: "a"), .read))
    let mark = folder.path("mark").displayText
    let reader = ThumbnailReader(
      launch: child(
        "get(); if (-e '\(mark)') { while (1) { put('{\"type\":\"result\",\"value\":{\"width\":1,\"height\":1,\"jpeg\":\"AAAA\"},\"peakBytes\":0}'); get() } } open(my $f, '>', '\(mark)'); kill 11, $$; sleep 60"
      )
    )
    func read() throws -> String {
      try reader.read(file, longEdge: 1, wallLimit: .seconds(20)).base64
    }
    #expect(throws: WorkerError.self) { try read() }
    #expect(try read() == "AAAA")
    #expect(try read() == "AAAA")
  }

  @Test func namesTheSignalTheStageAndTheLastWords() throws {
    let launch = child(
      #"get(); put('{"type":"stage","name":"decode"}'); print STDERR "warning\nindex out\e of range\n"; kill 11, $$; sleep 60"#
    )
    #expect(
      throws: WorkerError.childCrashed(
        .signal(SIGSEGV),
        stage: "decode",
        lastWords: #"index out\x1b of range"#
      )
    ) { try ask(launch) }
    #expect(throws: WorkerError.childCrashed(.code(3), stage: nil, lastWords: "")) {
      try ask(child("get(); exit 3"))
    }
  }

  /// What a child says of memory before it dies is not its input's fault.
  @Test(arguments: [
    "Fatal error: failed to allocate 104857632 bytes of memory with alignment 8\\nCurrent stack trace:\\n0 x",
    "x265 [error]: malloc of size 6064128 failed",
    "terminate called after throwing an instance of 'std::bad_alloc'",
  ])
  func aChildThatRanOutOfMemoryIsNoCrash(words: String) throws {
    var launch = child(#"get(); print STDERR "\#(words)\n"; kill 6, $$; sleep 60"#)
    launch.memory = 1 << 30
    let error = #expect(throws: WorkerError.self) { try ask(launch) }
    guard case .childOutOfMemory(let limit, _, let text) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(limit == 1 << 30)
    #expect(!text.contains("stack trace"))
  }

  @Test func aChildThatUsesMoreThanItIsAllowedIsKilled() throws {
    var launch = child(#"get(); my $x = "a" x (600 << 20); sleep 60"#)
    launch.memory = 256 << 20
    #expect(throws: WorkerError.childOutOfMemory(limit: 256 << 20, stage: nil, lastWords: "")) {
      try ask(launch)
    }
    // What it is allowed it may use.
    var modest = child(#"get(); my $x = "a" x (100 << 20); exit 3"#)
    modest.memory = 512 << 20
    #expect(throws: WorkerError.childCrashed(.code(3), stage: nil, lastWords: "")) {
      try ask(modest)
    }
  }

  @Test func killsAtTheWallLimit() throws {
    let launch = child(#"get(); put('{"type":"stage","name":"demosaic"}'); sleep 600"#)
    #expect(throws: WorkerError.wallLimitExceeded(seconds: 0, stage: "demosaic")) {
      try ask(launch, wallLimit: .milliseconds(700))
    }
  }

  @Test(arguments: [
    #"put('{"type":"hello","version":1}')"#, #"put('{"type":"nonsense"}')"#, #"put('[]')"#,
    #"put('{')"#, #"put('{"type":"result","value":1}')"#,
    #"put('{"type":"failure","code":"c","message":"m","disposition":"maybe"}')"#,
    #"syswrite($s, pack("NN", 0x7FFFFFFF, 0))"#, #"syswrite($s, pack("NN", 2, 1) . "{}")"#,
  ])
  func killsWhatBreaksTheProtocol(misdeed: String) throws {
    #expect {
      try ask(child("get(); \(misdeed); sleep 600"))
    } throws: { error in
      guard case .childProtocol = error as? WorkerError else { return false }
      return true
    }
  }

  @Test func refusesAnotherVersion() throws {
    let version = ChildRequest.version
    #expect(throws: WorkerError.childProtocol(.version(version + 1, supported: version))) {
      try ask(child("sleep 600", hello: ChildProcessTests.hello(version + 1)))
    }
  }

  @Test func aChildThatCannotStart() throws {
    #expect {
      try ask(ChildLaunch(program: "/no/such/program"))
    } throws: { error in
      guard case .childNotStarted(let cause) = error as? WorkerError else { return false }
      return cause.errorNumber == ENOENT
    }
    #expect(throws: WorkerError.childCrashed(.code(1), stage: nil, lastWords: "")) {
      try ask(ChildLaunch(program: "/bin/false", arguments: []))
    }
  }

  /// One that has not said hello, and would be waited for for an hour.
  @Test func interruptingEndsAChildThatStarts() {
    let launch = ChildLaunch(
      program: "/usr/bin/perl",
      arguments: ["-e", "sleep 3600"],
      helloTimeout: .seconds(3_600)
    )
    #expect(throws: WorkerError.interrupted) {
      _ = try ChildProcess.start(launch) { $0.interrupt() }
    }
  }

  @Test func interruptingWakesTheConversation() throws {
    let child = try ChildProcess.start(
      self.child(#"get(); put('{"type":"stage","name":"s"}'); sleep 600"#)
    )
    #expect(throws: WorkerError.interrupted) {
      _ = try child.ask(.inspect(computesDigest: false), files: [], wallLimit: .seconds(60)) { _ in
        child.interrupt()
      }
    }
  }

  @Test func anEndlessPrinterIsNotStopped() throws {
    let launch = child(
      #"get(); for (1..20000) { syswrite(STDERR, "warning " x 20) } put('{"type":"result","value":1,"peakBytes":0}'); get()"#
    )
    #expect(try ask(launch) == 1)
  }
}
