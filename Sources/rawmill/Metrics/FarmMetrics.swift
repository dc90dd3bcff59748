internal import JobStore
internal import Rendering
internal import ServiceRuntime

/// The farm's figures as metrics.
enum FarmMetrics {
  /// Everything in Prometheus' text format.
  static func exposition(_ figures: FarmFigures) -> String {
    let registry = MetricRegistry()
    batches(figures, registry)
    workers(figures, registry)
    tables(figures, registry)
    func gauge(_ name: String, _ help: String, _ value: Double) {
      registry.gauge(name, help).set(value)
    }
    gauge(
      "rawmill_farm_oldest_lease_seconds",
      "Since the job that runs longest was claimed; 0 without.",
      figures.oldestLeaseSeconds
    )
    gauge(
      "rawmill_farm_oldest_transaction_seconds",
      "Since the oldest transaction of the database was begun: it keeps dead rows from being removed.",
      figures.oldestTransactionSeconds
    )
    gauge(
      "rawmill_farm_overdue_seconds",
      "Since the delayed job that is due longest was due; 0 without.",
      figures.oldestOverdueSeconds
    )
    gauge(
      "rawmill_farm_undelivered_events",
      "Events that webhooks are still to be told.",
      Double(figures.undelivered)
    )
    gauge(
      "rawmill_farm_schema_version",
      "The version of the database's schema.",
      Double(figures.schemaVersion)
    )
    registry.gauge(
      "rawmill_build_info",
      "1; which program this is.",
      labels: ["version", "revision"]
    ).set(1, EngineInformation.version, EngineInformation.sourceRevision)
    return registry.exposition()
  }

  private static func batches(_ figures: FarmFigures, _ registry: MetricRegistry) {
    registry.gauge("rawmill_farm_batches", "Batches that are not finished.").set(
      Double(figures.openBatches)
    )
    registry.gauge("rawmill_farm_paused_batches", "Batches that are paused.").set(
      Double(figures.pausedBatches)
    )
    let jobs = registry.gauge(
      "rawmill_farm_batch_jobs",
      "Jobs of the newest 100 unfinished batches: waiting, running, done, failed, cancelled.",
      labels: ["batch", "state"]
    )
    let pixels = registry.gauge(
      "rawmill_farm_batch_pixels",
      "Photosites of pictures that are done.",
      labels: ["batch"]
    )
    let bytes = registry.gauge(
      "rawmill_farm_batch_bytes",
      "Bytes of pictures that are done: input, output.",
      labels: ["batch", "direction"]
    )
    for batch in figures.batches {
      let id = "\(batch.id)"
      let ended = batch.done + batch.failed + batch.cancelled
      jobs.set(Double(max(0, batch.total - ended - batch.running)), id, "waiting")
      jobs.set(Double(batch.running), id, "running")
      jobs.set(Double(batch.done), id, "done")
      jobs.set(Double(batch.failed), id, "failed")
      jobs.set(Double(batch.cancelled), id, "cancelled")
      pixels.set(Double(batch.pixels), id)
      bytes.set(Double(batch.inputBytes), id, "input")
      bytes.set(Double(batch.outputBytes), id, "output")
    }
  }

  private static func workers(_ figures: FarmFigures, _ registry: MetricRegistry) {
    let workers = registry.gauge(
      "rawmill_farm_workers",
      "Workers that live, by version and state: active, draining.",
      labels: ["version", "state"]
    )
    let slots = registry.gauge(
      "rawmill_farm_slots",
      "Jobs that the workers of a host can run at once.",
      labels: ["host"]
    )
    let running = registry.gauge(
      "rawmill_farm_running",
      "Jobs that the workers of a host have.",
      labels: ["host"]
    )
    let beat = registry.gauge(
      "rawmill_farm_heartbeat_age_seconds",
      "Since the last beat of the worker of a host that was not heard of for longest.",
      labels: ["host"]
    )
    workers.set(0, EngineInformation.version, "active")
    var oldest: [String: Double] = [:]
    for worker in figures.workers {
      workers.add(1, worker.version, worker.isDraining ? "draining" : "active")
      slots.add(Double(worker.slots), worker.host)
      running.add(Double(worker.running), worker.host)
      oldest[worker.host] = max(oldest[worker.host] ?? 0, worker.beatAgeSeconds)
    }
    for (host, age) in oldest { beat.set(age, host) }
  }

  private static func tables(_ figures: FarmFigures, _ registry: MetricRegistry) {
    let rows = registry.gauge(
      "rawmill_farm_table_rows",
      "Rows of a table as the server estimates them: live, dead.",
      labels: ["table", "state"]
    )
    let bytes = registry.gauge(
      "rawmill_farm_table_bytes",
      "Size of a table with its indexes.",
      labels: ["table"]
    )
    for table in figures.tables {
      rows.set(table.liveRows, table.name, "live")
      rows.set(table.deadRows, table.name, "dead")
      bytes.set(table.bytes, table.name)
    }
  }
}
