internal import CLinux
internal import FileSystem
internal import Glibc

/// What the process's outputs are connected to.
package enum Terminal {
  /// Whether a descriptor is a terminal that understands control sequences.
  package static func isInteractive(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && SystemInformation.environment("TERM") != "dumb"
  }

  /// Columns of the terminal behind a descriptor; 80 where nobody knows.
  package static func width(_ descriptor: Int32) -> Int {
    let columns = Int(rawmill_terminal_columns(descriptor))
    if columns > 0 { return columns }
    return SystemInformation.environment("COLUMNS").flatMap { Int($0) }.map { max(20, $0) } ?? 80
  }

  /// Rows of the terminal behind a descriptor; 24 where nobody knows.
  package static func height(_ descriptor: Int32) -> Int {
    let rows = Int(rawmill_terminal_rows(descriptor))
    if rows > 0 { return rows }
    return SystemInformation.environment("LINES").flatMap { Int($0) }.map { max(5, $0) } ?? 24
  }
}
