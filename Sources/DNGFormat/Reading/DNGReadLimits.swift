/// How large a raw may be; what is larger is refused before memory is taken.
package struct DNGReadLimits: Equatable, Sendable {
  /// Pixels of the raw image.
  ///
  /// The largest sensors have 250 million; merged panoramas go to 500.
  package var pixels = 512_000_000
  /// Bytes of the decoded samples.
  package var decodedBytes = 4 << 30

  package init() {}

  package init(pixels: Int, decodedBytes: Int) {
    self.pixels = pixels
    self.decodedBytes = decodedBytes
  }
}
