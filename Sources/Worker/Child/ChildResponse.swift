internal import Diagnostics
package import JSON

/// What a child says: a hello, then for each request any number of stages and one result or failure.
package enum ChildResponse: Sendable {
  case hello(version: Int)
  /// A stage has begun (`decode`).
  case stage(String)
  /// How much of the stage is done, 0 to 1.
  case progress(Double)
  /// The answer, with the child's largest resident size so far in bytes.
  case result(JSONValue, peakBytes: Int64)
  case failure(RemoteFailure)

  package var json: JSONValue {
    switch self {
    case .hello(let version): ["type": "hello", "version": JSONValue(version)]
    case .stage(let name): ["type": "stage", "name": JSONValue(name)]
    case .progress(let fraction): ["type": "progress", "fraction": JSONValue(fraction)]
    case .result(let value, let peakBytes):
      ["type": "result", "value": value, "peakBytes": JSONValue(peakBytes)]
    case .failure(let failure):
      [
        "type": "failure", "code": JSONValue(failure.code.rawValue),
        "message": JSONValue(failure.message),
        "disposition": JSONValue(failure.disposition.protocolName),
      ]
    }
  }

  package init(json: JSONValue) throws(ChannelError) {
    do throws(JSONError) {
      let type = try json.requireString("type")
      switch type {
      case "hello": self = .hello(version: try json.requireInteger("version"))
      case "stage": self = .stage(try json.requireString("name"))
      case "progress": self = .progress(try json.requireDouble("fraction"))
      case "result":
        self = .result(
          try json.require("value"),
          peakBytes: try json.requireInteger("peakBytes", as: Int64.self)
        )
      case "failure":
        let name = try json.requireString("disposition")
        guard let disposition = Disposition(protocolName: name) else {
          throw .unexpectedKind(key: "disposition", expected: "a disposition", found: name)
        }
        self = .failure(
          RemoteFailure(
            code: ErrorCode(rawValue: try json.requireString("code")),
            message: try json.requireString("message"),
            disposition: disposition
          )
        )
      default: throw .unexpectedKind(key: "type", expected: "a response", found: type)
      }
    } catch {
      throw .malformed(error)
    }
  }
}
