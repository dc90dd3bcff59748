internal import JSON
internal import Rendering

/// Small pictures of files, made by a child: one for many files, and another one after a crash.
///
/// The calls block, for one thread at a time.
package final class ThumbnailReader {
  /// A JPEG in sRGB.
  package struct Picture: Equatable, Sendable {
    package let width: Int
    package let height: Int
    /// The bytes in base64 (RFC 4648, section 4), at most 32,000 characters.
    package let base64: String
  }

  private let launch: ChildLaunch
  private var child: ChildProcess?

  package init(launch: ChildLaunch = ThumbnailReader.defaultLaunch) {
    self.launch = launch
  }

  deinit {
    child?.end()
  }

  /// The running program, with memory for a file and its decoded picture.
  package static var defaultLaunch: ChildLaunch {
    var launch = ChildLaunch()
    launch.memory = 2 << 30
    return launch
  }

  /// A small picture of an open file, its longer side of at most `longEdge` pixels; the child has
  /// `wallLimit` for it.
  ///
  /// - Throws: `child` with what is wrong with the file; anything else has cost a child.
  package func read(
    _ file: OpenFile,
    longEdge: Int,
    wallLimit: Duration
  ) throws(WorkerError) -> Picture {
    let child: ChildProcess
    if let running = self.child {
      child = running
    } else {
      child = try ChildProcess.start(launch)
      self.child = child
    }
    do throws(WorkerError) {
      let answer = try child.ask(
        .thumbnail(longEdge: longEdge),
        files: [file],
        wallLimit: wallLimit
      )
      return try Picture(answer.value, longEdge: longEdge)
    } catch {
      if case .child = error { throw error }
      self.child = nil
      child.end(grace: .zero)
      throw error
    }
  }
}

extension ThumbnailReader.Picture {
  /// Takes the child's word for nothing: the text stands in a page later.
  fileprivate init(_ answer: JSONValue, longEdge: Int) throws(WorkerError) {
    do throws(JSONError) {
      width = try answer.requireInteger("width")
      height = try answer.requireInteger("height")
      base64 = try answer.requireString("jpeg")
    } catch {
      throw .childProtocol(.malformed(error))
    }
    guard (1...longEdge).contains(width), (1...longEdge).contains(height),
      let bytes = Base64.decode(base64), (1...Thumbnail.byteLimit).contains(bytes.count)
    else { throw .childProtocol(.unexpected(type: "thumbnail")) }
  }
}
