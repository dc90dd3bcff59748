/// How much memory a job is given after it ran out of it.
package enum MemoryNeed {
  /// What the child must be allowed next, in bytes, after it ran out with `limit`: twice as much, or as
  /// much as any worker of the farm can give to one child alone (`most`); nil where that was not
  /// more.
  package static func next(after limit: Int64, most: Int64) -> Int64? {
    guard most > limit else { return nil }
    let (double, overflows) = limit.multipliedReportingOverflow(by: 2)
    return overflows ? most : min(double, most)
  }
}
