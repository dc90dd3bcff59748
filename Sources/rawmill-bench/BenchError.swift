/// What ends `rawmill-bench` early.
enum BenchError: Error, CustomStringConvertible {
  /// The command line is wrong.
  case usage(String)
  /// The bench can't work on what it got.
  case input(String)
  /// The peers can't run.
  case peers(String)

  var description: String {
    switch self {
    case .usage(let text), .input(let text), .peers(let text): text
    }
  }

  /// The exit code, as `rawmill` has them.
  var exitCode: Int32 {
    switch self {
    case .usage: 64
    case .input, .peers: 1
    }
  }
}
