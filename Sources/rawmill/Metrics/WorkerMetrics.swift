internal import Diagnostics
internal import FileSystem
internal import JobModel
internal import Rendering
internal import ServiceRuntime
internal import Synchronization
internal import Worker

/// What a worker counts of its own life, since its start.
///
/// No label holds a file name, a batch or a job: there are as many series as outcomes, classes and codes.
final class WorkerMetrics: Sendable {
  let registry = MetricRegistry()
  private let jobs: MetricFamily
  private let failures: MetricFamily
  private let pixels: MetricFamily
  private let inputBytes: MetricFamily
  private let outputBytes: MetricFamily
  private let renderSeconds: MetricFamily
  private let claimSeconds: MetricFamily
  private let peakBytes: MetricFamily
  private let buried: MetricFamily
  private let leasesLost: MetricFamily
  private let databaseFailures: MetricFamily
  private let identity = Mutex<WorkerID?>(nil)

  init() {
    jobs = registry.counter(
      "rawmill_jobs_total",
      "Attempts that this worker ended, by how: done, failed, retried, released, cancelled.",
      labels: ["outcome"]
    )
    failures = registry.counter(
      "rawmill_job_failures_total",
      "Attempts that failed, by class and code.",
      labels: ["class", "code"]
    )
    pixels = registry.counter("rawmill_pixels_total", "Photosites of pictures that are done.")
    inputBytes = registry.counter("rawmill_input_bytes_total", "Bytes of raws that are done.")
    outputBytes = registry.counter("rawmill_output_bytes_total", "Bytes of outputs published.")
    renderSeconds = registry.histogram(
      "rawmill_render_seconds",
      "Wall time of a picture: all its stages, verification and publishing included.",
      bounds: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 600]
    )
    claimSeconds = registry.histogram(
      "rawmill_claim_seconds",
      "Wall time of a claim, with the completions that are committed with it.",
      bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
    )
    peakBytes = registry.gauge(
      "rawmill_render_peak_bytes",
      "Peak resident memory of the process that rendered the last picture."
    )
    buried = registry.counter(
      "rawmill_workers_buried_total",
      "Workers that this one gave up for lost."
    )
    leasesLost = registry.counter(
      "rawmill_leases_lost_total",
      "Times that this worker could not say in time that it lives and stopped all work."
    )
    databaseFailures = registry.counter(
      "rawmill_database_failures_total",
      "Statements and connections that failed; repetitions within 30 s count once."
    )
    for outcome in ["done", "failed", "retried", "released", "cancelled"] { jobs.add(0, outcome) }
    for family in [pixels, inputBytes, outputBytes, buried, leasesLost, databaseFailures] {
      family.add(0)
    }
    registry.gauge(
      "rawmill_build_info",
      "1; which program this is.",
      labels: ["version", "revision"]
    ).set(1, EngineInformation.version, EngineInformation.sourceRevision)
    registry.gauge(
      "process_start_time_seconds",
      "When this process started, in seconds since 1970."
    ).set(Double(SystemInformation.wallClockNanoseconds / 1_000_000) / 1_000)
  }

  /// The worker's identity in the queue, once it has one.
  var worker: WorkerID? { identity.withLock { $0 } }

  /// Counts an event.
  func count(_ event: WorkerEvent) {
    switch event {
    case .registered(let id): identity.withLock { $0 = id }
    case .claimed(_, let duration): claimSeconds.observe(duration / .seconds(1))
    case .completed(let job, let report):
      jobs.add(1, "done")
      pixels.add(Double(report.pixels))
      inputBytes.add(Double(job.input.size))
      outputBytes.add(Double(report.outputBytes))
      let stages = report.provenance.stageNanoseconds
      renderSeconds.observe(stages.reduce(0) { $0 + Double($1.nanoseconds) } / 1e9)
      peakBytes.set(Double(report.provenance.peakMemoryBytes))
    case .failed(_, let failure, let decision):
      if case .retry = decision { jobs.add(1, "retried") } else { jobs.add(1, "failed") }
      failures.add(1, "\(failure.failureClass)", failure.code.rawValue)
    case .released: jobs.add(1, "released")
    case .cancelled: jobs.add(1, "cancelled")
    case .buried(let workers): buried.add(Double(workers.count))
    case .leasesLost: leasesLost.add()
    case .databaseFailed: databaseFailures.add()
    default: break
    }
  }

  /// Has the gauges of a worker's state read at each scrape.
  func observe(_ service: WorkerService) {
    let registered = registry.gauge(
      "rawmill_worker_registered",
      "Whether this worker has an identity in the queue."
    )
    let beat = registry.gauge(
      "rawmill_heartbeat_age_seconds",
      "Since the last heartbeat that was answered; its lease ends at 30."
    )
    let held = registry.gauge("rawmill_leases_held", "Jobs that this worker has.")
    let unsettled = registry.gauge(
      "rawmill_jobs_unsettled",
      "Jobs that are over and wait for the database; their files are kept."
    )
    let oldest = registry.gauge(
      "rawmill_oldest_lease_seconds",
      "Since this worker got the oldest job that it has; 0 without."
    )
    let reconnections = registry.counter(
      "rawmill_database_reconnections_total",
      "Connections of the queue that were opened after the first."
    )
    let children = registry.counter(
      "rawmill_child_starts_total",
      "Rendering processes that were started."
    )
    registry.beforeExposition { [weak service] in
      guard let vitals = service?.vitals else { return }
      registered.set(vitals.worker == nil ? 0 : 1)
      beat.set(vitals.beatAge.map { $0 / .seconds(1) } ?? .nan)
      held.set(Double(vitals.held))
      unsettled.set(Double(vitals.unsettled))
      oldest.set(vitals.oldestLeaseAge.map { $0 / .seconds(1) } ?? 0)
      reconnections.set(Double(vitals.reconnections))
      children.set(Double(vitals.childStarts))
    }
  }
}
