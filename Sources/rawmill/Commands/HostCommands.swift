internal import FileSystem
internal import JSON
internal import JobModel
internal import JobStore
internal import Reporting
internal import ServiceRuntime

/// `rawmill host list`: hosts that are set aside.
enum HostListCommand: Command {
  static var syntax: CommandSyntax {
    CommandSyntax("list", "Show hosts, and roots of hosts, that are set aside, and why.")
      .queueOptions()
  }

  /// The group of the commands about hosts.
  static func group(_ commands: [CommandSyntax]) -> CommandSyntax {
    CommandSyntax("host", "Hosts whose workers are set aside.").subcommands(commands)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let list = try wrappingQueue { () throws(JobStoreError) in try store.setAside() }
    let events = program.events(arguments)
    let now = SystemInformation.wallClockNanoseconds / 1_000
    for aside in list {
      events.emit("setAside", ["setAside": aside.json])
      if !events.isEnabled { program.standardOutput.writeLine(aside.text(now: now)) }
    }
    if list.isEmpty, !events.isEnabled {
      program.standardOutput.writeLine("no host is set aside")
    }
    return .success
  }
}

/// `rawmill host allow`: lifts a host's being set aside.
enum HostAllowCommand: Command {
  static let host = Positional("host", .text, "The name of the host.")
  static let root = Option("--root", "name", .text, "Only this root of the host.")

  static var syntax: CommandSyntax {
    CommandSyntax("allow", "Let a host that is set aside work again.")
      .positional(host).option(root).queueOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let name = try arguments.requireValue(host)
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let was = try wrappingQueue { () throws(JobStoreError) in
      try store.allow(host: name, root: arguments[root], by: SteeringOptions.actor)
    }
    let what = arguments[root].map { "root \($0) of \(name)" } ?? name
    SteeringOptions.report(
      was ? "\(what) works again" : "\(what) was not set aside",
      "hostAllowed",
      ["host": .string(name), "root": arguments[root].map { .string($0) }, "was": .init(was)],
      arguments,
      program
    )
    return .success
  }
}

/// `rawmill host set-aside`: has the workers of a host claim nothing for a time.
enum HostSetAsideCommand: Command {
  static let reason = Option("--reason", "text", .text, "Why, for those who look at the host.")
  static let minutes = Option(
    "--minutes",
    "n",
    .integer(1...525_600),
    "For how long; an hour if absent."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("set-aside", "Have the workers of a host claim nothing for a time.")
      .discussion("What they have is finished. 'rawmill host allow' lifts it.")
      .positional(HostAllowCommand.host).option(HostAllowCommand.root).option(minutes)
      .option(reason).queueOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let name = try arguments.requireValue(HostAllowCommand.host)
    let root = arguments[HostAllowCommand.root]
    let store = try DatabaseSource.find(arguments).openQueue(program.log).store
    let until = try wrappingQueue { () throws(JobStoreError) in
      // By hand it is as long as it was asked for, whatever was before.
      _ = try store.allow(host: name, root: root, by: SteeringOptions.actor)
      return try store.setAside(
        host: name,
        root: root,
        reason: arguments[reason] ?? "by hand",
        by: SteeringOptions.actor,
        seconds: Double(arguments[minutes] ?? 60) * 60
      )
    }
    let what = root.map { "root \($0) of \(name)" } ?? name
    SteeringOptions.report(
      "\(what) is set aside; what it has is finished",
      "hostSetAside",
      [
        "host": .string(name), "root": root.map { .string($0) }, "until": until.map { .init($0) },
      ],
      arguments,
      program
    )
    return .success
  }
}
