import Diagnostics
import FileSystem
import ImageEncoding
import JSON
import TestSupport
import Testing
import Worker

/// The child's side, on a thread of the test, with an engine that only looks at its bytes.
@Suite struct RenderChildTests {
  private struct Engine: ChildEngine {
    func render(
      _ input: consuming [UInt8],
      inputName: String,
      recipe: JSONValue,
      sinks: [DescriptorSink],
      threads: Int,
      observer: ChildObserver
    ) throws(RemoteFailure) -> JSONValue {
      observer.stage("encode")
      observer.progress(0.5)
      do throws(ByteSinkError) {
        for sink in sinks {
          try unsafe sink.write(input.span.bytes, at: 0)
        }
      } catch {
        throw RemoteFailure(error)
      }
      return ["recipe": recipe, "threads": JSONValue(threads), "name": JSONValue(inputName)]
    }

    func inspect(
      _ input: consuming [UInt8],
      computesDigest: Bool
    ) throws(RemoteFailure) -> JSONValue {
      guard input.first != 0 else {
        throw RemoteFailure(code: "notRaw", message: "no raw", disposition: .permanent)
      }
      return ["count": JSONValue(input.count), "digest": JSONValue(computesDigest)]
    }

    func explain(
      _ input: consuming [UInt8],
      recipe: JSONValue,
      includesPlan: Bool
    ) throws(RemoteFailure) -> JSONValue {
      ["recipe": recipe, "plan": JSONValue(includesPlan)]
    }

    func statistics(
      _ input: consuming [UInt8],
      binCount: Int?,
      threads: Int
    ) throws(RemoteFailure) -> JSONValue {
      ["count": JSONValue(input.count), "bins": binCount.map { .init($0) } ?? .null]
    }

    func thumbnail(
      _ file: consuming [UInt8],
      longEdge: Int
    ) throws(RemoteFailure) -> JSONValue {
      ["count": JSONValue(file.count), "longEdge": JSONValue(longEdge)]
    }

    func compare(
      _ first: consuming [UInt8],
      _ second: consuming [UInt8],
      demosaics: Bool,
      threads: Int
    ) throws(RemoteFailure) -> JSONValue {
      [
        "isEqual": JSONValue(first == second), "demosaics": JSONValue(demosaics),
        "threads": JSONValue(threads),
      ]
    }
  }

  private let folder: TemporaryDirectory
  private let worker: MessageChannel
  private let child: MessageChannel

  init() throws {
    folder = try TemporaryDirectory()
    let (first, other) = try MessageChannel.pair()
    worker = first
    child = MessageChannel(try other.descriptor.duplicate())
  }

  /// Serves on another thread what `body` asks; returns how the child ended.
  private func serving(_ body: () throws -> Void) throws -> ChannelError? {
    let child = child
    let work = BackgroundWork { () -> ChannelError? in
      do throws(ChannelError) {
        try RenderChild.serve(child, engine: Engine())
        return nil
      } catch {
        return error
      }
    }
    do {
      try body()
    } catch {
      worker.shutDown()
      throw error
    }
    worker.shutDown()
    return work.value() ?? nil
  }

  private func ask(_ request: ChildRequest, files: [OpenFile] = []) throws -> [ChildResponse] {
    try worker.send(request.json, files: files)
    var responses: [ChildResponse] = []
    while true {
      let response = try ChildResponse(json: worker.receive().value)
      responses.append(response)
      switch response {
      case .stage, .progress: continue
      default: return responses
      }
    }
  }

  private func open(_ bytes: [UInt8]) throws -> OpenFile {
    OpenFile(try FileDescriptor.open(folder.write(bytes, to: "input"), .read))
  }

  @Test func rendersIntoTheFilesThatItIsHanded() throws {
    let end = try serving {
      _ = try ask(.hello(version: ChildRequest.version))
      let input = try open([1, 2, 3])
      let output = OpenFile(
        try FileDescriptor.open(folder.path("out"), .readWriteExclusively(permissions: 0o600))
      )
      let responses = try ask(
        .render(recipe: ["r": 1], threads: 2, inputName: "a.dng"),
        files: [input, output]
      )
      #expect(
        responses.dropLast().map { $0.json } == [
          ["type": "stage", "name": "read"], ["type": "stage", "name": "encode"],
          ["type": "progress", "fraction": 0.5],
        ]
      )
      guard case .result(let value, let peak) = responses.last else {
        Issue.record("no result")
        return
      }
      #expect(value == ["recipe": ["r": 1], "threads": 2, "name": "a.dng"])
      #expect(peak > 0)
      #expect(try output.descriptor.readAll(limit: 10) == [1, 2, 3])
    }
    #expect(end == nil)
  }

  @Test func goesOnAfterAFailure() throws {
    let end = try serving {
      _ = try ask(.hello(version: ChildRequest.version))
      guard
        case .failure(let failure) = try ask(
          .inspect(computesDigest: true),
          files: [open([0])]
        ).last
      else {
        Issue.record("no failure")
        return
      }
      #expect(failure == RemoteFailure(code: "notRaw", message: "no raw", disposition: .permanent))
      guard
        case .result(let value, _) = try ask(
          .explain(recipe: [:], includesPlan: true),
          files: [open([1])]
        ).last
      else {
        Issue.record("no result")
        return
      }
      #expect(value == ["recipe": [:], "plan": true])
    }
    #expect(end == nil)
  }

  @Test func comparesTwoFiles() throws {
    let end = try serving {
      _ = try ask(.hello(version: ChildRequest.version))
      let left = OpenFile(try FileDescriptor.open(folder.write([1, 2], to: "left"), .read))
      let right = OpenFile(try FileDescriptor.open(folder.write([1, 3], to: "right"), .read))
      for (other, isEqual) in [(left, true), (right, false)] {
        let request = ChildRequest.compare(demosaics: !isEqual, threads: 3)
        let answer = try ask(request, files: [left, other]).last
        guard case .result(let value, _) = answer else {
          Issue.record("no result")
          return
        }
        #expect(
          value == ["isEqual": JSONValue(isEqual), "demosaics": JSONValue(!isEqual), "threads": 3]
        )
      }
      let request = ChildRequest.compare(demosaics: false, threads: 1)
      guard case .failure(let failure) = try ask(request, files: [left]).last else {
        Issue.record("no failure")
        return
      }
      #expect(failure.code == "childDescriptorCount")
    }
    #expect(end == nil)
  }

  @Test func aFolderIsNoInput() throws {
    let end = try serving {
      _ = try ask(.hello(version: ChildRequest.version))
      let input = OpenFile(try FileDescriptor.openFolder(folder.root))
      guard
        case .failure(let failure) = try ask(
          .inspect(computesDigest: false),
          files: [input]
        ).last
      else {
        Issue.record("no failure")
        return
      }
      #expect(failure.code == "inputNotAFile")
    }
    #expect(end == nil)
  }

  @Test func insistsOnTheHello() throws {
    let first = try serving {
      try worker.send(ChildRequest.inspect(computesDigest: false).json)
    }
    #expect(first == .unexpected(type: "inspect"))
  }

  @Test func leavesAWorkerOfAnotherVersion() throws {
    let end = try serving {
      let answer = try ask(.hello(version: 9)).last
      #expect(answer?.json == ["type": "hello", "version": JSONValue(ChildRequest.version)])
    }
    #expect(end == .version(9, supported: ChildRequest.version))
  }

  @Test func inputsHaveALimit() throws {
    let path = try folder.write([1, 2, 3], to: "input")
    let file = try FileDescriptor.open(path, .read)
    #expect(try InputReading.read(file, limit: 3) == [1, 2, 3])
    #expect(throws: WorkerError.inputTooLarge(path, byteCount: 3, limit: 2)) {
      try InputReading.read(file, limit: 2)
    }
  }
}
