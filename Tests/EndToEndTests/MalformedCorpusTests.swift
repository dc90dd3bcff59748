import FileSystem
import JSON
import TestSupport
import Testing

/// Every damaged file of the corpus ends in a named error and nothing else.
@Suite struct MalformedCorpusTests {
  /// Files whose damage nothing can show: neither the stream's rules nor a digest.
  static let undetectable: [String: String] = [:]

  static let files: [String] = {
    guard Corpus.isAvailable else { return [] }
    let folders = (try? Corpus.path("malformed").directoryEntries()) ?? []
    return folders.flatMap { folder -> [String] in
      let path = Corpus.path("malformed/\(folder.name.displayText)")
      let entries = (try? path.directoryEntries()) ?? []
      return entries.filter { $0.kind == .file }
        .map { "\(folder.name.displayText)/\($0.name.displayText)" }
    }.sorted()
  }()

  @Test(.enabled(if: Corpus.isAvailable, Corpus.missingComment))
  func everyDamagedFileIsRefusedByName() throws {
    #expect(Self.files.count > 200)
    for file in Self.files {
      let folder = try TemporaryDirectory()
      let input = Corpus.path("malformed/\(file)")
      let run = try RawmillRun.call(
        [Array("develop".utf8), input.bytes, Array("--to".utf8), folder.root.bytes],
        timeout: .seconds(10)
      )
      let written = try folder.root.directoryEntries().map(\.name.displayText)
      if Self.undetectable[file] != nil {
        #expect(run.exitCode == 0, "\(file) is found damaged by now: \(run.errorText)")
        continue
      }
      #expect(run.exitCode == 1, "\(file): \(run.exit) \(run.outputText) \(run.errorText)")
      #expect(run.errorText.hasPrefix("rawmill: \(input): "), "\(file): \(run.errorText)")
      #expect(run.errorText.contains(/: .{8,} \[[a-z]\w+\]\n$/), "\(file): \(run.errorText)")
      #expect(!run.errorText.contains("[childCrashed]"), "\(file): \(run.errorText)")
      #expect(written.isEmpty, "\(file): left \(written)")
    }
  }
}
