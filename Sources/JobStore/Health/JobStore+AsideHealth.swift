internal import FileSystem
internal import JobModel

extension JobStore {
  /// That a host, or one of its roots, is set aside: a note where a person did it.
  func asideFinding(_ aside: SetAside) -> HealthFinding {
    HealthFinding(
      aside.actor == QueueEvent.queueActor ? .warning : .note,
      "hostSetAside",
      "\(text(aside)), by \(aside.actor.isEmpty ? "somebody" : aside.actor)",
      "see to the cause on that host; \(command(aside)) lets it work at once"
    )
  }

  /// That a batch waits although workers live, because each of their hosts is set aside.
  ///
  /// `reasons` are those that keep its workers from it; none where they have ended since.
  func allAsideFinding(_ batch: String, _ reasons: [SetAside]) -> HealthFinding {
    let list = reasons.map { text($0) }.joined(separator: "; ")
    return HealthFinding(
      .critical,
      "hostsSetAside",
      "\(batch) has jobs that wait, and every host whose workers could do them is set aside"
        + (list.isEmpty ? "" : ": \(list)"),
      "see to the cause there, then \(reasons.first.map { command($0) } ?? "rawmill host allow HOST"); "
        + "or start a worker on another host"
    )
  }

  private func text(_ aside: SetAside) -> String {
    let what = aside.root.map { "root \($0) of host \(aside.host)" } ?? "host \(aside.host)"
    let left = aside.untilMicroseconds - SystemInformation.wallClockNanoseconds / 1_000
    return "\(what) is set aside for \(seconds(Double(max(0, left)) / 1e6)) more: \(aside.reason)"
  }

  private func command(_ aside: SetAside) -> String {
    "rawmill host allow HOST" + (aside.root == nil ? "" : " --root NAME")
  }
}
