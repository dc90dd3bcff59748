/// One thing that the fault suite did or saw.
package enum HistoryEvent: Equatable, Sendable {
  case run(HistoryRun)
  /// An input was put into the queue; submitted again, it still is one job.
  case submitted(input: String, expected: Expectation)
  /// A fault began. Where it `recovers`, the queue must work again in time after its end.
  case injected(fault: Int64, kind: String, target: String, recovers: Bool)
  /// What was injected is over; a kill is over at once.
  case ended(fault: Int64)
  /// Whatever the fault had stopped has been taken up again, or was decided.
  case recovered(fault: Int64)
  /// So many jobs of a batch with a cap were seen to run.
  case running(batch: Int64, count: Int64)
  /// A claim took so long.
  case claimed(microseconds: Int64)
  /// A worker gave a file its final name: `renameat2` and `link` never replace, `rename` does.
  case published(path: String, job: Int64, attempt: Int64, process: Int64, replacing: Bool)
  /// A worker took a name away again.
  case withdrawn(path: String, process: Int64)
  /// A file that a stranger put among the outputs.
  case foreign(path: String, sha256: String)
  case job(HistoryRow.Job)
  case provenance(HistoryRow.Attempt)
  case attempt(HistoryRow.Attempt)
  case output(HistoryRow.Output)
  case lease(job: Int64, worker: Int64)
  case worker(id: Int64, state: Int64)
  case batch(HistoryRow.Batch)
  /// A file below the outputs' folder.
  case file(path: String, size: Int64, sha256: String)
}
