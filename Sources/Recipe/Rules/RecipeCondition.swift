/// What a rule asks of a picture: all that is set must hold.
///
/// A condition about something that a file doesn't say does not hold.
package struct RecipeCondition: Equatable, Sendable {
  package var iso: NumberCondition?
  /// Any of them matches the maker and model, the model alone, or UniqueCameraModel.
  package var camera: [TextPattern] = []
  /// Any of them matches the lens's name.
  package var lens: [TextPattern] = []

  package init() {}

  /// Whether nothing is asked.
  package var isEmpty: Bool { iso == nil && camera.isEmpty && lens.isEmpty }

  package func holds(for subject: RuleSubject) -> Bool {
    if let iso {
      guard let speed = subject.isoSpeed, iso.holds(for: Double(speed)) else { return false }
    }
    return Self.any(of: camera, match: subject.cameraNames)
      && Self.any(of: lens, match: [subject.lensName].compactMap(\.self))
  }

  private static func any(of patterns: [TextPattern], match names: [String]) -> Bool {
    patterns.isEmpty || patterns.contains { pattern in names.contains { pattern.matches($0) } }
  }
}
