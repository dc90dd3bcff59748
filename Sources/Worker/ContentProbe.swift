package import FileSystem
internal import JSON

/// Says what files are by their content, in a child process: foreign bytes are not parsed here.
///
/// For one thread at a time.
package final class ContentProbe {
  /// Files of one message.
  private static let groupLimit = 48

  private let launch: ChildLaunch
  private let wallLimit: Duration
  private var child: ChildProcess?

  package init(launch: ChildLaunch = ChildLaunch(), wallLimit: Duration = .seconds(60)) {
    self.launch = launch
    self.wallLimit = wallLimit
  }

  deinit {
    child?.end()
  }

  /// The content of each file, or why it can't be said, in the order given.
  ///
  /// - Throws: What keeps the child from working at all.
  package func contents(
    of paths: [FilePath]
  ) throws(WorkerError) -> [Result<InputContent, WorkerError>] {
    var results: [Result<InputContent, WorkerError>] = []
    results.reserveCapacity(paths.count)
    var start = 0
    while start < paths.count {
      let group = Array(paths[start..<min(paths.count, start + ContentProbe.groupLimit)])
      results += try contents(ofGroup: group)
      start += group.count
    }
    return results
  }

  private func contents(
    ofGroup paths: [FilePath]
  ) throws(WorkerError) -> [Result<InputContent, WorkerError>] {
    var files: [OpenFile] = []
    var results: [Result<InputContent, WorkerError>?] = []
    for path in paths {
      do throws(WorkerError) {
        files.append(try InputOpening.open(path))
        results.append(nil)
      } catch {
        results.append(.failure(error))
      }
    }
    var answers = try ask(files)[...]
    return results.map { $0 ?? answers.popFirst() ?? .failure(.reportInvalid(detail: "too short")) }
  }

  /// Asks for all at once; if that ends the child, for one after another, to find out which it was.
  private func ask(_ files: [OpenFile]) throws(WorkerError) -> [Result<InputContent, WorkerError>] {
    guard !files.isEmpty else { return [] }
    let child = try readyChild()
    do throws(WorkerError) {
      let answer = try child.ask(.classify, files: files, wallLimit: wallLimit).value
      guard let values = answer.arrayValue, values.count == files.count else {
        throw .reportInvalid(detail: "a classification of another number of files")
      }
      return values.map(ContentProbe.content)
    } catch {
      self.child?.end()
      self.child = nil
      guard error.isCrash else { throw error }
      guard files.count > 1 else { return [.failure(error)] }
      var results: [Result<InputContent, WorkerError>] = []
      for file in files { results += try ask([file]) }
      return results
    }
  }

  private func readyChild() throws(WorkerError) -> ChildProcess {
    if let child { return child }
    let fresh = try ChildProcess.start(launch)
    child = fresh
    return fresh
  }

  private static func content(_ json: JSONValue) -> Result<InputContent, WorkerError> {
    do throws(JSONError) {
      if json["type"]?.stringValue == "content" { return .success(try InputContent(json: json)) }
    } catch {
      return .failure(.reportInvalid(detail: error.message))
    }
    do throws(ChannelError) {
      if case .failure(let failure) = try ChildResponse(json: json) {
        return .failure(.child(failure))
      }
    } catch {
      return .failure(.childProtocol(error))
    }
    return .failure(.reportInvalid(detail: "neither a content nor a failure"))
  }
}
