/// An output while its settings are read: what all kinds have and what its own kind has.
struct OutputDraft<Settings: Sendable>: Sendable {
  var id: String?
  var suffix = ""
  var settings: Settings
}
