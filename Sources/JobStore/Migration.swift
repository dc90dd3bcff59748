internal import Digest
package import FileSystem

/// One step of the schema: a file `NNNN_name.up.sql`.
package struct Migration: Equatable, Sendable {
  /// From 1, without gaps.
  package let version: Int
  package let name: String
  package let sql: String
  /// SHA-256 of the file.
  let checksum: SHA256Digest

  /// Reads the migrations of a folder, in order.
  package static func load(from folder: FilePath) throws(JobStoreError) -> [Migration] {
    var migrations: [Migration] = []
    for name in try upFiles(in: folder) {
      let file = folder.appending(component: name.bytes)
      guard let (version, title) = parse(name), version == migrations.count + 1 else {
        throw .migrationNumbering(file: file.displayText)
      }
      let bytes: [UInt8]
      do throws(SystemError) {
        bytes = try file.readAll(limit: 1 << 24)
      } catch {
        throw .migrationUnreadable(file: file.displayText, reason: error.message)
      }
      guard let sql = String(validating: bytes, as: UTF8.self) else {
        throw .migrationUnreadable(file: file.displayText, reason: "it is not UTF-8")
      }
      migrations.append(
        Migration(version: version, name: title, sql: sql, checksum: SHA256.digest(of: bytes))
      )
    }
    return migrations
  }

  private static func upFiles(in folder: FilePath) throws(JobStoreError) -> [FilePath] {
    do throws(SystemError) {
      return try folder.directoryEntries().map(\.name)
        .filter { ($0.exactText ?? "").hasSuffix(".up.sql") }
    } catch {
      throw .migrationUnreadable(file: folder.displayText, reason: error.message)
    }
  }

  /// Number and name out of `0001_queue.up.sql`.
  private static func parse(_ file: FilePath) -> (version: Int, name: String)? {
    guard let text = file.exactText else { return nil }
    let stem = text.dropLast(".up.sql".count)
    let parts = stem.split(separator: "_", maxSplits: 1)
    guard parts.count == 2, parts[0].count == 4, parts[0].allSatisfy(\.isASCII),
      let version = Int(parts[0]), version > 0
    else { return nil }
    return (version, String(parts[1]))
  }
}
