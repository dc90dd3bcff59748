/// A parser of foreign bytes and what must hold for any input: it ends, with a result or a named
/// error, and what it accepts has the properties that are checked here.
///
/// The fuzzers call it with what they make up; the tests with what the fuzzers once found.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// A whole DNG: inspected, described, read, and written anew where it could be read.
  case dngReader = "DNGReader"
  /// A lossless JPEG stream: alone, and as the strips of a DNG, which are decoded in turn.
  case losslessJPEG = "LosslessJPEG"

  /// What is wrong with the way the bytes were taken, or nil.
  package func fault(_ bytes: [UInt8]) -> String? {
    switch self {
    case .dngReader: DNGReaderFuzzing.fault(bytes)
    case .losslessJPEG: LosslessJPEGFuzzing.fault(bytes)
    }
  }
}
