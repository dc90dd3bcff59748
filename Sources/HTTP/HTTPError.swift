package import Diagnostics

/// What can go wrong with HTTP.
package enum HTTPError: Error, Equatable, Sendable {
  /// The server can't listen on an address.
  case cannotListen(endpoint: String, reason: String)
  /// The client library can't be used.
  case clientUnavailable(reason: String)
  /// A URL is none of http or https, holds credentials, or can't be read.
  case urlRefused(reason: String)
  /// No answer came.
  case noAnswer(host: String, reason: String)
}

extension HTTPError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .cannotListen: "cannotListen"
    case .clientUnavailable: "httpClientUnavailable"
    case .urlRefused: "urlRefused"
    case .noAnswer: "noAnswer"
    }
  }

  package var message: String {
    switch self {
    case .cannotListen(let endpoint, let reason): "can't listen on \(endpoint): \(reason)"
    case .clientUnavailable(let reason): "the HTTP client can't be used: \(reason)"
    case .urlRefused(let reason): "the URL is refused: \(reason)"
    case .noAnswer(let host, let reason): "\(host) gave no answer: \(reason)"
    }
  }

  package var disposition: Disposition {
    switch self {
    case .cannotListen, .noAnswer: .transient
    case .clientUnavailable: .fatalWorker
    case .urlRefused: .permanent
    }
  }
}
