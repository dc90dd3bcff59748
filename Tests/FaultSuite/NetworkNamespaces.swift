internal import FileSystem
internal import Glibc

/// Network namespaces that a bridge joins, each with an address of its own; they need root.
final class NetworkNamespaces {
  /// In the names of namespaces.
  private let mark = "\(Leftovers.networkPrefix)\(SystemInformation.processID)"
  /// In the names of interfaces, which have 15 bytes at most.
  private let link = "\(Leftovers.linkPrefix)\(SystemInformation.processID)"
  /// The first three numbers of all addresses.
  private let network: String

  /// Makes `count` namespaces, numbered from 0.
  init(_ count: Int) throws {
    guard geteuid() == 0 else { throw SuiteError.skipped("only root can make network namespaces") }
    // Two bridges with one network would take each other's packets: another suite may run.
    let routes = try Shell.require("/usr/bin/env", ["ip", "-4", "route", "show", "table", "all"])
    let start = Int(SystemInformation.processID)
    let free = (0..<256).lazy.map { "10.77.\((start + $0) % 256)" }.first {
      !routes.contains("\($0).")
    }
    guard let free else { throw SuiteError.skipped("no free network in 10.77.0.0/16") }
    network = free
    // A run that was killed, with the same process id.
    remove()
    do {
      try ip("link", "add", bridge, "type", "bridge")
      try ip("addr", "add", "\(network).254/24", "dev", bridge)
      try ip("link", "set", bridge, "up")
      for index in 0..<count {
        try ip("netns", "add", name(index))
        try ip(
          "link",
          "add",
          outer(index),
          "type",
          "veth",
          "peer",
          "name",
          "eth0",
          "netns",
          name(index)
        )
        try ip("link", "set", outer(index), "master", bridge, "up")
        try ip("-n", name(index), "addr", "add", "\(address(index))/24", "dev", "eth0")
        try ip("-n", name(index), "link", "set", "eth0", "up")
        try ip("-n", name(index), "link", "set", "lo", "up")
      }
    } catch {
      remove()
      throw SuiteError.skipped("no network namespaces here: \(error)")
    }
  }

  deinit { remove() }

  private var bridge: String { link + "b" }
  private func name(_ index: Int) -> String { "\(mark)n\(index)" }
  private func outer(_ index: Int) -> String { "\(link)v\(index)" }

  func address(_ index: Int) -> String { "\(network).\(index + 1)" }

  /// What a program is called through to run in a namespace.
  func prefix(_ index: Int) -> [String] { ["ip", "netns", "exec", name(index)] }

  /// Cuts a namespace's cable, or joins it again: packets are lost, and nobody is told.
  func setLink(_ index: Int, up: Bool) throws {
    try ip("link", "set", outer(index), up ? "up" : "down")
  }

  private func remove() {
    for index in 0..<4 {
      _ = try? Shell.run("/usr/bin/env", ["ip", "link", "del", outer(index)])
      _ = try? Shell.run("/usr/bin/env", ["ip", "netns", "del", name(index)])
    }
    _ = try? Shell.run("/usr/bin/env", ["ip", "link", "del", bridge])
  }

  private func ip(_ arguments: String...) throws {
    try Shell.require("/usr/bin/env", ["ip"] + arguments)
  }
}
