internal import HTTP
internal import JobStore
internal import PostgresClient
internal import ServiceRuntime

/// `rawmill metrics`: the farm's figures, once or for whoever asks.
enum MetricsCommand: Command {
  static let listen = Option(
    "--listen",
    "address:port",
    .endpoint,
    "Serves /metrics and /healthz until told to stop; a port alone listens on localhost."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("metrics", "Give the farm's figures to Prometheus: batches, workers, tables.")
      .discussion(
        """
        Without --listen they are printed once, in Prometheus' text format. One such process serves \
        the farm; what a single worker counts, it serves itself with 'rawmill worker --metrics'.
        """
      )
      .option(listen).option(CommonOptions.database).serviceOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let address = try DatabaseSource.find(arguments).start(program.log)
    let exporter = FarmExporter(database: address, log: program.log)
    guard let endpoint = arguments[listen] else {
      program.standardOutput.write(
        try wrappingQueue { () throws(JobStoreError) in try exporter.exposition() }
      )
      return .success
    }
    let stop = StopSignal.install()
    let server = try MetricsServer.start(
      on: endpoint,
      program,
      exposition: { exporter.answer() },
      health: {
        let answer = exporter.answer()
        return answer.status == 200 ? .text(200, "ok") : answer
      }
    )
    withExtendedLifetime(server) {
      while !stop.isRequested { _ = stop.wait(for: .seconds(3_600)) }
    }
    return .success
  }
}
