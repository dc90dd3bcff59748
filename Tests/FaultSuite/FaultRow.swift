/// One row of the table of faults: what is injected, and what must hold then.
struct FaultRow: Sendable {
  /// As in the table of the guide.
  let number: Int
  let name: String
  /// What is injected.
  let summary: String
  /// Makes a farm, injects, and lets the farm finish; the history is checked by the caller.
  let body: @Sendable (Bench) throws -> Farm

  static let all: [FaultRow] =
    claimRows + processRows + databaseRows + networkRows + fileRows + jobRows + stateRows
}
