package import FileSystem
package import JSON
package import Rendering

/// One picture without a queue, by the same child and the same publishing: `develop`, `inspect`,
/// `recipe explain`.
///
/// The calls block. `interrupt` may come from any thread.
package final class OneShot: Sendable {
  /// A finished render.
  package struct Rendered: Sendable {
    package let report: RenderReport
    /// In the order of the recipe's files.
    package let outputs: [WrittenOutput]
    /// The child's largest resident size, in bytes.
    package let peakBytes: Int64
    /// CPU time of the child, its start included.
    package let cpu: Duration
  }

  private let launch: ChildLaunch
  private let wallLimit: Duration
  private let current = Locked<State>(State())

  private struct State {
    var child: ChildProcess?
    var isInterrupted = false
  }

  /// Requests will be sent to a child started so, and each may take `wallLimit`.
  package init(launch: ChildLaunch = ChildLaunch(), wallLimit: Duration = .seconds(600)) {
    self.launch = launch
    self.wallLimit = wallLimit
  }

  /// Renders `input` and publishes its outputs; an existing file is never touched.
  ///
  /// There is one target for each file of the recipe (its canonical JSON), in its order. `expected` is
  /// what the input must still be, where it was looked at before.
  package func render(
    _ input: FilePath,
    recipe: JSONValue,
    threads: Int,
    outputs: [OutputTarget],
    expected: FileStatus? = nil,
    observe: (ChildProcess.Event) -> Void = { _ in }
  ) throws(WorkerError) -> Rendered {
    let file = try InputOpening.open(input)
    if let expected {
      try InputOpening.check(file, size: expected.size, mtime: expected.mtimeNanoseconds)
    }
    // Before any work; `publish` decides again.
    for output in outputs where try OneShot.exists(output.path) {
      throw .outputExists(output.path)
    }
    let set = try OutputSet.create(
      targets: outputs,
      job: "\(TemporaryName.oneShotJob)\(SystemInformation.processID)",
      attempt: 1
    )
    try TemporaryName.holdAndSweep(set)
    let (answer, cpu) = try ask(
      .render(recipe: recipe, threads: threads, inputName: input.nameForFiles),
      files: [file] + set.files,
      observe: observe
    )
    var report = try RenderReport(childAnswer: answer)
    // There is no database that they could go to.
    for index in report.outputs.indices { report.outputs[index].statistics = nil }
    let written = try set.verify(byteCounts: report.outputs.map { Int64($0.byteCount) })
    try set.publish(written, known: []) { !current.withLock(\.isInterrupted) }
    return Rendered(
      report: report,
      outputs: written,
      peakBytes: answer.peakBytes,
      cpu: cpu
    )
  }

  /// What `input` is, as the engine says it; `computesDigest` decodes it for the SHA-256 of the stored
  /// samples.
  package func inspect(
    _ input: FilePath,
    computesDigest: Bool
  ) throws(WorkerError) -> JSONValue {
    let file = try InputOpening.open(input)
    return try ask(.inspect(computesDigest: computesDigest), files: [file]).answer.value
  }

  /// What a recipe means for `input`.
  package func explain(
    _ input: FilePath,
    recipe: JSONValue,
    includesPlan: Bool
  ) throws(WorkerError) -> JSONValue {
    let file = try InputOpening.open(input)
    return try ask(.explain(recipe: recipe, includesPlan: includesPlan), files: [file])
      .answer.value
  }

  /// The statistics of `input`'s samples, as the document of a statistics output.
  package func statistics(
    _ input: FilePath,
    binCount: Int?,
    threads: Int
  ) throws(WorkerError) -> JSONValue {
    let file = try InputOpening.open(input)
    return try ask(.statistics(binCount: binCount, threads: threads), files: [file]).answer.value
  }

  /// How far the raw `second` is from `first`, or from what a linear DNG of `first` has to hold, and the CPU
  /// time that it took to find out.
  package func compare(
    _ first: FilePath,
    _ second: FilePath,
    demosaics: Bool = false,
    threads: Int
  ) throws(WorkerError) -> (comparison: RawComparison, cpu: Duration) {
    let files = [try InputOpening.open(first), try InputOpening.open(second)]
    let (answer, cpu) = try ask(.compare(demosaics: demosaics, threads: threads), files: files)
    return (try RawComparison(childAnswer: answer), cpu)
  }

  /// Stops the running request, and any later one: it throws `interrupted` and leaves no file.
  package func interrupt() {
    let child = current.withLock { state in
      state.isInterrupted = true
      return state.child
    }
    child?.interrupt()
  }

  private static func exists(_ path: FilePath) throws(WorkerError) -> Bool {
    do throws(SystemError) {
      return try path.statusIfExists(followingLinks: false) != nil
    } catch {
      throw .system(error)
    }
  }

  private func ask(
    _ request: ChildRequest,
    files: [OpenFile],
    observe: (ChildProcess.Event) -> Void = { _ in }
  ) throws(WorkerError) -> (answer: ChildProcess.Answer, cpu: Duration) {
    let child = try ChildProcess.start(launch)
    let isInterrupted = current.withLock { state in
      state.child = child
      return state.isInterrupted
    }
    defer {
      current.withLock { $0.child = nil }
      child.end()
    }
    if isInterrupted { throw .interrupted }
    let answer = try child.ask(request, files: files, wallLimit: wallLimit, observe: observe)
    return (answer, child.end())
  }
}
