internal import CLinux
internal import FileSystem

/// Whether standard error leads to systemd's journal.
package enum JournalStream {
  /// By `JOURNAL_STREAM`, the device and inode of the stream that the service manager made
  /// (systemd.exec(5)): a stream that was redirected since has others.
  package static var isStandardError: Bool {
    guard let text = SystemInformation.environment("JOURNAL_STREAM") else { return false }
    var status = rawmill_status()
    guard unsafe rawmill_fstat(2, &status) == 0 else { return false }
    return text == "\(status.device):\(status.inode)"
  }
}
