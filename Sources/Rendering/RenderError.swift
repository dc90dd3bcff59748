package import DNGFormat
package import Develop
package import Diagnostics
package import ImageEncoding
package import RawDecoding
package import SceneStatistics

/// Why an input was not rendered; the cause says everything else.
package enum RenderError: Error, Equatable, Sendable {
  /// The input could not be decoded.
  case decode(RawDecodeError)
  /// The recipe's camera profile could not be read.
  case profile(DNGReadError, name: String)
  /// The recipe's camera profile is for another camera than the raw's.
  case profileForOtherCamera(name: String, profileCamera: String, camera: String)
  /// The raw could not be developed.
  case develop(DevelopError)
  /// The output with this id could not be encoded or written.
  case encode(ImageEncodingError, outputID: String)
  /// The DNG with this id could not be made.
  case write(DNGWritingError, outputID: String)
  /// The raw has no statistics.
  case statistics(StatisticsError)
  /// There is not one sink for each file of the recipe.
  case sinkCount(expected: Int, found: Int)
}

extension RenderError: Diagnosable {
  /// The cause's.
  package var code: ErrorCode {
    switch self {
    case .decode(let error): error.code
    case .profile: "profileUnusable"
    case .profileForOtherCamera: "profileForOtherCamera"
    case .develop(let error): error.code
    case .encode(let error, outputID: _): error.code
    case .write(let error, outputID: _): error.code
    case .statistics(let error): error.code
    case .sinkCount: "sinkCount"
    }
  }

  package var message: String {
    switch self {
    case .decode(let error):
      error.message
    case .profile(let error, let name):
      "the camera profile \(name): \(error.message)"
    case .profileForOtherCamera(let name, let profileCamera, let camera):
      "the camera profile \(name) is for \(profileCamera), the raw is of \(camera)"
    case .develop(let error):
      error.message
    case .encode(let error, let outputID):
      "output \(outputID): \(error.message)"
    case .write(let error, let outputID):
      "output \(outputID): \(error.message)"
    case .statistics(let error):
      error.message
    case .sinkCount(let expected, let found):
      "the recipe writes \(expected) files, but \(found) were opened"
    }
  }

  /// The cause's.
  package var disposition: Disposition {
    switch self {
    case .decode(let error): error.disposition
    case .profile, .profileForOtherCamera: .permanent
    case .develop(let error): error.disposition
    case .encode(let error, outputID: _): error.disposition
    case .write(let error, outputID: _): error.disposition
    case .statistics(let error): error.disposition
    case .sinkCount: .permanent
    }
  }
}
