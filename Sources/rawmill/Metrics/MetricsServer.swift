internal import HTTP
internal import JSON
internal import ServiceRuntime
internal import Worker

/// The HTTP server of `--metrics`.
enum MetricsServer {
  /// Serves a worker's metrics and health; nil without `--metrics`.
  ///
  /// It is healthy while it is registered and its last beat is young enough for its leases to count.
  static func start(
    _ arguments: ParsedArguments,
    _ program: Program,
    _ metrics: WorkerMetrics,
    _ service: WorkerService
  ) throws(ProgramError) -> HTTPServer? {
    guard let endpoint = arguments[CommonOptions.metrics] else { return nil }
    metrics.observe(service)
    return try start(
      on: endpoint,
      program,
      exposition: { answer(metrics.registry.exposition()) },
      health: {
        let vitals = service.vitals
        guard vitals.worker != nil else { return .text(503, "not registered") }
        return vitals.isLeaseValid ? .text(200, "ok") : .text(503, "no heartbeat")
      }
    )
  }

  /// Serves a notifier's metrics and health; nil without `--metrics`.
  ///
  /// It is healthy while the database answers.
  static func start(
    _ arguments: ParsedArguments,
    _ program: Program,
    _ metrics: NotifierMetrics
  ) throws(ProgramError) -> HTTPServer? {
    guard let endpoint = arguments[CommonOptions.metrics] else { return nil }
    return try start(
      on: endpoint,
      program,
      exposition: { answer(metrics.registry.exposition()) },
      health: { metrics.isHealthy ? .text(200, "ok") : .text(503, "no database") }
    )
  }

  /// Starts a server and says where it listens.
  static func start(
    on endpoint: HTTPEndpoint,
    _ program: Program,
    exposition: @escaping @Sendable () -> HTTPAnswer,
    health: @escaping @Sendable () -> HTTPAnswer
  ) throws(ProgramError) -> HTTPServer {
    do throws(HTTPError) {
      let server = try HTTPServer.start(
        on: endpoint,
        resources: ["/metrics": exposition, "/healthz": health]
      )
      let place = server.endpoint.description
      program.log.write(
        .info,
        "metricsServed",
        "metrics at http://\(place)/metrics",
        ["endpoint": .string(place)]
      )
      return server
    } catch {
      throw .other(error)
    }
  }

  /// An exposition as an answer.
  static func answer(_ exposition: String) -> HTTPAnswer {
    HTTPAnswer(
      status: 200,
      contentType: MetricRegistry.contentType,
      body: Array(exposition.utf8)
    )
  }
}
