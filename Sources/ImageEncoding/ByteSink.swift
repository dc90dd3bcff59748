/// Where an encoder puts its bytes: a file, memory, anything that can be written at an offset.
///
/// Encoders write each byte of the output at least once and may go back to an offset that they wrote
/// before (a TIFF header learns late where its directory lies). They never read back. A sink starts
/// empty; bytes that were skipped read as zero. A sink is used by one thread at a time.
package protocol ByteSink: AnyObject {
  /// Writes all of `bytes` at `offset` from the start of the output.
  ///
  /// - Throws: What the system said; the output is then incomplete and of no use.
  func write(_ bytes: RawSpan, at offset: Int) throws(ByteSinkError)
}
