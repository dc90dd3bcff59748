/// From when on something is worth a word.
package struct HealthLimits: Equatable, Sendable {
  /// A transaction that is open longer keeps dead rows from being removed; ten times as long is critical.
  package var transactionSeconds = 300.0
  /// A transaction in which nothing happens.
  package var idleSeconds = 60.0
  /// Dead rows of a table, if they are also more than a third of the rows that live.
  package var deadRows = 50_000.0
  /// Rows of a table that was never vacuumed, or never analysed.
  package var untendedRows = 200_000.0
  /// A job that runs longer than its wall-clock limit with all that surrounds it.
  package var leaseSeconds = 1_800.0
  /// Leases of a dead worker are taken back within seconds while any worker lives.
  package var orphanSeconds = 60.0
  /// Twice the time after which others give a worker up.
  package var silentSeconds = 60.0
  /// How long a delayed job may be due: workers look each second.
  package var overdueSeconds = 60.0
  /// Rows of progress that nobody added up.
  package var tallyRows = 100_000.0
  /// Partitions must reach this far ahead.
  package var partitionDays = 31.0
  /// An index of at least this size is looked at.
  package var indexBytes = 100e6
  /// An index with more than this for each row has grown over its rows.
  package var indexBytesPerRow = 400.0
  /// The share of the connections that are taken.
  package var connectionShare = 0.9

  package init() {}
}
