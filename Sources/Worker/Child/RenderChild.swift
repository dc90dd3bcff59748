package import DNGFormat
internal import FileSystem
internal import Glibc
internal import JSON
internal import RawDecoding

/// The child process: it renders one job after another, with no path and no network, until the worker
/// hangs up.
package enum RenderChild {
  /// The descriptor at which the child finds its socket.
  package static let socketDescriptor: Int32 = 3

  /// The largest input that is read into memory, in bytes.
  package static let inputLimit: Int64 = 4 << 30

  /// Answers the worker's requests until it hangs up.
  ///
  /// - Throws: For anything unexpected; the child ends then, and the worker sees it.
  package static func serve(
    _ channel: MessageChannel,
    engine: some ChildEngine
  ) throws(ChannelError) {
    let (hello, files) = try channel.receive()
    guard case .hello(let version) = try ChildRequest(json: hello), files.isEmpty else {
      throw .unexpected(type: hello["type"]?.stringValue ?? "")
    }
    try channel.send(ChildResponse.hello(version: ChildRequest.version).json)
    guard version == ChildRequest.version else {
      throw .version(version, supported: ChildRequest.version)
    }
    while true {
      let message: (value: JSONValue, files: [OpenFile])
      do {
        message = try channel.receive()
      } catch .closed {
        return
      }
      let request = try ChildRequest(json: message.value)
      let response: ChildResponse
      do throws(RemoteFailure) {
        response = .result(
          try answer(request, message.files, engine, channel),
          peakBytes: SystemInformation.peakResidentBytes
        )
      } catch {
        response = .failure(error)
      }
      try channel.send(response.json)
    }
  }

  private static func answer(
    _ request: ChildRequest,
    _ files: [OpenFile],
    _ engine: some ChildEngine,
    _ channel: MessageChannel
  ) throws(RemoteFailure) -> JSONValue {
    if case .classify = request { return .array(files.map(classify)) }
    guard let input = files.first else {
      throw RemoteFailure(ChannelError.descriptorCount(expected: 1, received: 0))
    }
    switch request {
    case .hello, .classify:
      throw RemoteFailure(ChannelError.unexpected(type: "hello"))
    case .render(let recipe, let threads, let inputName):
      let observer = ChildObserver { response in
        // A worker that has gone is noticed by the next receive; progress is worth no error.
        try? channel.send(response.json)
      }
      observer.stage("read")
      let bytes = try read(input)
      return try engine.render(
        bytes,
        inputName: inputName,
        recipe: recipe,
        sinks: files.dropFirst().map { DescriptorSink($0) },
        threads: max(1, threads),
        observer: observer
      )
    case .inspect(let computesDigest):
      return try engine.inspect(try read(input), computesDigest: computesDigest)
    case .explain(let recipe, let includesPlan):
      return try engine.explain(try read(input), recipe: recipe, includesPlan: includesPlan)
    case .statistics(let binCount, let threads):
      return try engine.statistics(
        try read(input),
        binCount: binCount,
        threads: max(1, threads)
      )
    case .compare(let demosaics, let threads):
      guard files.count == 2 else {
        throw RemoteFailure(ChannelError.descriptorCount(expected: 2, received: files.count))
      }
      // The very files, read again: nothing that a render left in memory takes part.
      return try engine.compare(
        try read(input),
        try read(files[1]),
        demosaics: demosaics,
        threads: max(1, threads)
      )
    case .thumbnail(let longEdge):
      return try engine.thumbnail(try read(input), longEdge: max(1, longEdge))
    }
  }

  /// What a file is, or why that can't be said.
  private static func classify(_ file: OpenFile) -> JSONValue {
    do throws(SystemError) {
      let size = try file.descriptor.status().size
      let content = try RawContent.classify(fileSize: Int(size)) {
        (offset, count) throws(SystemError) in
        try file.descriptor.read(count: count, at: Int64(offset))
      }
      return InputContent(content).json
    } catch {
      return ChildResponse.failure(RemoteFailure(error)).json
    }
  }

  /// The whole input, read once; mapping it would turn a truncation on a share into a SIGBUS.
  ///
  /// - Throws: `inputChanged` if the file was written while it was read.
  private static func read(_ input: OpenFile) throws(RemoteFailure) -> [UInt8] {
    do throws(WorkerError) {
      return try InputReading.read(input.descriptor, limit: inputLimit)
    } catch {
      throw RemoteFailure(error)
    }
  }

  /// Runs the child process on its socket; the exit code for `main`.
  ///
  /// 64: not started by a worker; 70: the conversation failed.
  package static func run(engine: some ChildEngine) -> Int32 {
    var status = stat()
    let isSocket =
      unsafe fstat(socketDescriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    guard isSocket else { return 64 }
    // When memory runs out, this process is the one to lose, not the worker with its leases.
    if let file = try? FileDescriptor.open("/proc/self/oom_score_adj", .write) {
      // Refused in some containers; then the kernel's own choice stands.
      try? file.write(Array("500".utf8))
    }
    do throws(ChannelError) {
      try serve(MessageChannel(FileDescriptor(owning: socketDescriptor)), engine: engine)
      return 0
    } catch {
      return 70
    }
  }
}

extension RenderChild {
  /// `rawmill child`: runs the child process with the package's engine; the exit code for `main`.
  package static func main(digestPolicy: DigestPolicy) -> Int32 {
    run(engine: RenderingEngine(digestPolicy: digestPolicy))
  }
}
