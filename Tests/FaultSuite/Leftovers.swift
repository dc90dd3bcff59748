internal import FileSystem
internal import Glibc

/// What suites left behind that were killed: servers, folders, network namespaces and their links.
enum Leftovers {
  /// What begins the name of a suite's folder; its process id follows.
  static let folderPrefix = "rawmill-faults-"
  /// What begins the names of a suite's namespaces; its process id and a letter follow.
  static let networkPrefix = "rawmillf"
  /// What begins the names of a suite's interfaces; its process id and a letter follow.
  static let linkPrefix = "rf"

  static func remove() throws {
    for entry in try FilePath("/tmp").directoryEntries() where entry.kind == .folder {
      guard let owner = owner(of: entry.name, folderPrefix), !isAlive(owner) else { continue }
      let folder = FilePath("/tmp").appending(entry.name)
      for server in try folder.directoryEntries() where server.kind == .folder {
        stopServer(folder.appending(server.name))
        stopServer(folder.appending(server.name).appending("server"))
      }
      try? folder.removeTree()
    }
    for entry in (try? FilePath("/run/netns").directoryEntries()) ?? [] {
      guard let owner = owner(of: entry.name, networkPrefix), !isAlive(owner) else { continue }
      _ = try? Shell.run("/usr/bin/env", ["ip", "netns", "del", entry.name.displayText])
    }
    // A bridge that is left would keep its route, and with it the packets of a later suite.
    for entry in (try? FilePath("/sys/class/net").directoryEntries()) ?? [] {
      guard let owner = owner(of: entry.name, linkPrefix), !isAlive(owner) else { continue }
      _ = try? Shell.run("/usr/bin/env", ["ip", "link", "del", entry.name.displayText])
    }
  }

  private static func owner(of name: FilePath, _ prefix: String) -> Int32? {
    guard let text = name.exactText, text.hasPrefix(prefix) else { return nil }
    return Int32(text.dropFirst(prefix.count).prefix { $0.isNumber })
  }

  private static func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }

  /// Ends the server of a data folder, if it is one, and that is what the process id still stands for.
  private static func stopServer(_ folder: FilePath) {
    let data = folder.appending("data")
    guard let text = try? data.appending("postmaster.pid").readAll(),
      let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first,
      let process = Int32(line),
      let file = try? FileDescriptor.open(FilePath("/proc/\(process)/cmdline"), .read),
      let command = try? file.read(count: 4_096),
      String(decoding: command, as: UTF8.self).contains(data.displayText)
    else { return }
    _ = kill(process, SIGQUIT)
    try? Wait.until("the end of a server", limit: .seconds(10)) { !isAlive(process) }
  }
}
