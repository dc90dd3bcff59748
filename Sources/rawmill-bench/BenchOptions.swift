internal import FileSystem

/// The command line of `rawmill-bench`.
struct BenchOptions {
  var benches: [Bench] = []
  var input: FilePath?
  var threads = 1
  var runs = 7
  var jobs = 5_000
  var isJSON = false
  var isList = false
  var comparesPeers = false
  var isHelp = false

  static let help = """
    USAGE: rawmill-bench [NAME...] [OPTIONS]

    Measures rawmill's kernels. Without a name, all benches run in turn.

    OPTIONS:
      --input FILE   the raw to work on (default: the 12-megapixel Bayer sample)
      --threads N    lanes of the tile scheduler (default: 1)
      --runs N       measured runs after one to warm up (default: 7)
      --jobs N       jobs of one run of the queue's benches (default: 5000)
      --json         one JSON object a line
      --list         the benches and what they do
      --peers        run the installed peers beside them and print the ratios; needs
                     RAWMILL_ORACLE_PYTHON
      -h, --help     this text

    """

  init(arguments: [String]) throws(BenchError) {
    var rest = arguments[...]
    func number(_ option: String) throws(BenchError) -> Int {
      guard let text = rest.popFirst(), let number = Int(text), (1...1_000_000).contains(number)
      else {
        throw .usage("\(option) wants a number from 1 on")
      }
      return number
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--input":
        guard let file = rest.popFirst() else { throw .usage("--input wants a file") }
        input = FilePath(file)
      case "--threads": threads = try number(argument)
      case "--runs": runs = try number(argument)
      case "--jobs": jobs = try number(argument)
      case "--json": isJSON = true
      case "--list": isList = true
      case "--peers": comparesPeers = true
      case "-h", "--help": isHelp = true
      default:
        guard let bench = Bench.all.first(where: { $0.name == argument }) else {
          let names = Bench.all.map(\.name).joined(separator: ", ")
          throw .usage("no bench or option '\(argument)'; benches: \(names)")
        }
        benches.append(bench)
      }
    }
    if benches.isEmpty { benches = Bench.all }
  }
}
