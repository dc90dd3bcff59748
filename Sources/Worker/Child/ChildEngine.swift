package import JSON

/// The image engine as a child process uses it: bytes and sinks in, JSON out.
///
/// A seam for tests, which need engines that crash, hang and lie.
package protocol ChildEngine {
  /// Renders the input into one sink for each file of the recipe; the bytes are given away, so that
  /// the engine can free them before it encodes. `inputName` is the input's name without its folder.
  func render(
    _ input: consuming [UInt8],
    inputName: String,
    recipe: JSONValue,
    sinks: [DescriptorSink],
    threads: Int,
    observer: ChildObserver
  ) throws(RemoteFailure) -> JSONValue

  /// Says what the input is.
  func inspect(
    _ input: consuming [UInt8],
    computesDigest: Bool
  ) throws(RemoteFailure) -> JSONValue

  /// Says what the recipe means for the input.
  func explain(
    _ input: consuming [UInt8],
    recipe: JSONValue,
    includesPlan: Bool
  ) throws(RemoteFailure) -> JSONValue

  /// The statistics of the input's samples, as the document of a statistics output.
  func statistics(
    _ input: consuming [UInt8],
    binCount: Int?,
    threads: Int
  ) throws(RemoteFailure) -> JSONValue

  /// Says how far the second raw is from the first, or from what is made of the first where a mosaic is
  /// stored demosaiced: the JSON of a `RawComparison`.
  func compare(
    _ first: consuming [UInt8],
    _ second: consuming [UInt8],
    demosaics: Bool,
    threads: Int
  ) throws(RemoteFailure) -> JSONValue

  /// A small picture of a file that an engine has written, or of a raw by its preview: `width`, `height`, and
  /// `jpeg`, its bytes as base64.
  func thumbnail(
    _ file: consuming [UInt8],
    longEdge: Int
  ) throws(RemoteFailure) -> JSONValue
}
