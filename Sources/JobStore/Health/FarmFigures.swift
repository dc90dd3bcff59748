/// The farm in figures, for metrics.
package struct FarmFigures: Equatable, Sendable {
  /// An open, paused or cancelled batch that is not finished.
  package struct OpenBatch: Equatable, Sendable {
    package var id: Int64
    package var state: Int64
    package var total: Int64
    package var done: Int64
    package var failed: Int64
    package var cancelled: Int64
    package var running: Int64
    package var pixels: Int64
    package var inputBytes: Int64
    package var outputBytes: Int64
  }

  package struct LiveWorker: Equatable, Sendable {
    package var host: String
    package var version: String
    package var isDraining: Bool
    package var slots: Int64
    package var running: Int64
    package var beatAgeSeconds: Double
  }

  package struct Table: Equatable, Sendable {
    package var name: String
    package var liveRows: Double
    package var deadRows: Double
    package var bytes: Double
  }

  package var batches: [OpenBatch] = []
  package var openBatches: Int64 = 0
  package var pausedBatches: Int64 = 0
  package var workers: [LiveWorker] = []
  package var tables: [Table] = []
  package var oldestLeaseSeconds = 0.0
  package var oldestTransactionSeconds = 0.0
  package var oldestOverdueSeconds = 0.0
  package var undelivered: Int64 = 0
  package var schemaVersion: Int64 = 0
}
