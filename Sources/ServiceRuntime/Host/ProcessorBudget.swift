internal import FileSystem

/// How many processors this process may use: the default of `--threads`.
package struct ProcessorBudget: Equatable, Sendable {
  /// Processors that the affinity mask allows.
  package let affinity: Int
  /// Processors' worth of time that control groups allow, nil without a quota.
  package let quota: Double?

  package init(affinity: Int, quota: Double?) {
    self.affinity = affinity
    self.quota = quota
  }

  /// Threads that can run at once, at least 1; a quota's fraction counts as one more, because a
  /// thread that is throttled now and then still does more than none.
  package var threadCount: Int {
    let allowed = quota.map { max(1, Int(min($0, 65_536).rounded(.up))) } ?? affinity
    return max(1, min(affinity, allowed))
  }

  /// The budget of this process.
  package static var current: ProcessorBudget {
    ProcessorBudget(
      affinity: SystemInformation.affinityCount,
      quota: ControlGroups(readFile: KernelFile.read).processorQuota
    )
  }
}
