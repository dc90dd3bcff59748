/// How an input that was submitted may end.
package enum Expectation: Equatable, Sendable {
  case done
  /// Failed, with one of these codes.
  case failed([String])
  case cancelled
  /// Done, or cancelled where a cancellation ran against its completion.
  case doneOrCancelled

  /// `done`, `failed:code,code`, `cancelled`, `doneOrCancelled`.
  package init?(_ text: String) {
    switch text {
    case "done": self = .done
    case "cancelled": self = .cancelled
    case "doneOrCancelled": self = .doneOrCancelled
    default:
      guard text.hasPrefix("failed:") else { return nil }
      self = .failed(text.dropFirst("failed:".count).split(separator: ",").map(String.init))
    }
  }

  package var text: String {
    switch self {
    case .done: "done"
    case .cancelled: "cancelled"
    case .doneOrCancelled: "doneOrCancelled"
    case .failed(let codes): "failed:" + codes.joined(separator: ",")
    }
  }
}
