/// What another session sent with NOTIFY on a channel that this one listens to.
package struct PostgresNotification: Equatable, Sendable {
  package let channel: String
  package let payload: String

  package init(channel: String, payload: String) {
    self.channel = channel
    self.payload = payload
  }
}
