/// One attempt's right to decide a job.
package struct Lease: Hashable, Sendable {
  package let job: JobID
  package let attempt: Int
  package let token: LeaseToken

  package init(job: JobID, attempt: Int, token: LeaseToken) {
    self.job = job
    self.attempt = attempt
    self.token = token
  }
}
