/// A notable event that a receiver is to be told, at least once.
package struct EventDelivery: Equatable, Sendable {
  package var event: QueueEvent
  /// How often it was taken, this time included.
  package var attempt: Int

  package init(event: QueueEvent, attempt: Int) {
    self.event = event
    self.attempt = attempt
  }
}
