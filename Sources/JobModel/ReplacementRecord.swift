package import Digest
package import JSON

/// The replacement of an original, committed before anything is renamed.
package struct ReplacementRecord: Sendable {
  /// The original as it was looked at.
  package struct Original: Equatable, Sendable {
    package var file: InputFile
    package var sha256: SHA256Digest
    package var inode: UInt64
    /// Permission bits.
    package var mode: UInt32
    package var owner: UInt32
    package var group: UInt32

    package init(
      file: InputFile,
      sha256: SHA256Digest,
      inode: UInt64,
      mode: UInt32,
      owner: UInt32,
      group: UInt32
    ) {
      self.file = file
      self.sha256 = sha256
      self.inode = inode
      self.mode = mode
      self.owner = owner
      self.group = group
    }
  }

  package var original: Original
  /// Bytes of the new file.
  package var size: Int64
  package var sha256: SHA256Digest
  /// Where the original is kept; nil: nowhere.
  package var kept: FileLocation?
  /// What a completion records, in the worker's own form.
  package var report: JSONValue

  package init(
    original: Original,
    size: Int64,
    sha256: SHA256Digest,
    kept: FileLocation?,
    report: JSONValue
  ) {
    self.original = original
    self.size = size
    self.sha256 = sha256
    self.kept = kept
    self.report = report
  }
}
