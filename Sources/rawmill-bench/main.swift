internal import FileSystem
internal import Glibc

// Names, options and fields are fixed: figures of different days are compared by them.
do {
  let options = try BenchOptions(arguments: Array(CommandLine.arguments.dropFirst()))
  if options.isHelp {
    print(BenchOptions.help, terminator: "")
  } else if options.isList {
    for bench in Bench.all { print("\(bench.name.padded(to: 26))  \(bench.summary)") }
  } else {
    try BenchProgram.run(options)
  }
} catch let error as BenchError {
  BenchProgram.reportFailure(error.description)
  exit(error.exitCode)
} catch {
  BenchProgram.reportFailure("\(error)")
  exit(1)
}
