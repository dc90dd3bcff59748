internal import FileSystem

/// The arguments of a call.
struct Options {
  var words: [String] = []
  var isLong = false
  var isJSON = false
  /// Whether the call is a part of another, which sums up.
  var isPart = false
  /// Rows at once, each in a process of its own.
  var parallel = 3
  var keepsHistory: FilePath?
  var seed: UInt64
  var seconds = 1_200
  var jobs = 20_000
  var workers = 3
  var rawmill: FilePath
  var source: FilePath

  static let usage = """
    usage: rawmill-faults list
           rawmill-faults run NAME... [--long]
           rawmill-faults all [--long] [--parallel N]
           rawmill-faults chaos [--seconds N] [--jobs N] [--workers N]
           rawmill-faults check HISTORY
           rawmill-faults farm [INPUT...]
    options: --seed N  --json  --history FOLDER  --rawmill PROGRAM  --source CHECKOUT
    """

  init(_ arguments: [String]) throws {
    seed = UInt64(truncatingIfNeeded: SystemInformation.wallClockNanoseconds) % 1_000_000
    rawmill = try SystemInformation.executablePath().parent.appending("rawmill")
    source = try FilePath.currentDirectory()
    var rest = arguments[...]
    while let word = rest.popFirst() {
      func value() throws -> String {
        guard let value = rest.popFirst() else { throw SuiteError.usage("\(word) needs a value") }
        return value
      }
      func number() throws -> Int {
        let text = try value()
        guard let number = Int(text), number >= 0 else { throw SuiteError.usage("\(word) \(text)") }
        return number
      }
      switch word {
      case "--long": isLong = true
      case "--json": isJSON = true
      case "--part": isPart = true
      case "--parallel": parallel = max(1, try number())
      case "--history": keepsHistory = try FilePath(value()).absolute()
      case "--seed": seed = UInt64(try number())
      case "--seconds": seconds = try number()
      case "--jobs": jobs = try number()
      case "--workers": workers = max(1, try number())
      case "--rawmill": rawmill = try FilePath(value()).absolute()
      case "--source": source = try FilePath(value()).absolute()
      default:
        guard !word.hasPrefix("-") else { throw SuiteError.usage("unknown option \(word)") }
        words.append(word)
      }
    }
  }
}
