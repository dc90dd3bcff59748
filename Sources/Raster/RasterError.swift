package import Diagnostics

/// What can go wrong with planes.
package enum RasterError: Error, Equatable, Sendable {
  /// A plane of this many bytes is over the limit or could not be allocated.
  case allocationRefused(bytes: Int, limit: Int)
}

extension RasterError: Diagnosable {
  package var code: ErrorCode { "allocationRefused" }

  package var message: String {
    switch self {
    case .allocationRefused(let bytes, let limit):
      "a plane of \(bytes) bytes was refused (limit \(limit) bytes)"
    }
  }

  package var disposition: Disposition { .resource }
}
