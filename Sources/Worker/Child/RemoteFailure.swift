package import Diagnostics

/// An error of a child, as it crossed the process border.
package struct RemoteFailure: Diagnosable, Equatable {
  package let code: ErrorCode
  package let message: String
  package let disposition: Disposition

  package init(code: ErrorCode, message: String, disposition: Disposition) {
    self.code = code
    self.message = message
    self.disposition = disposition
  }

  package init(_ error: some Diagnosable) {
    self.init(code: error.code, message: error.message, disposition: error.disposition)
  }
}

extension Disposition {
  private static let protocolNames: [(Disposition, String)] = [
    (.permanent, "permanent"), (.transient, "transient"), (.resource, "resource"),
    (.hostFault, "hostFault"), (.fatalWorker, "fatalWorker"),
  ]

  /// The name between processes.
  var protocolName: String {
    switch self {
    case .permanent: "permanent"
    case .transient: "transient"
    case .resource: "resource"
    case .hostFault: "hostFault"
    case .fatalWorker: "fatalWorker"
    }
  }

  init?(protocolName: String) {
    guard let match = Disposition.protocolNames.first(where: { $0.1 == protocolName }) else {
      return nil
    }
    self = match.0
  }
}
