internal import DNGFormat
internal import FileSystem
internal import HTTP
internal import ServiceRuntime

/// Options that several commands have.
enum CommonOptions {
  static let recipe = Option(
    "--recipe",
    "file",
    .path,
    "The recipe, YAML or JSON; HEIC in Display P3 if absent."
  )
  static let to = Option(
    "--to",
    "folder",
    .path,
    isRequired: true,
    "The folder that outputs are written to."
  )
  static let threads = Option(
    "--threads",
    "m",
    .integer(1...1_024),
    "Threads for each picture; by default what affinity and control groups allow."
  )
  static let slots = Option(
    "--slots",
    "n",
    .integer(1...1_024),
    "Pictures at once, each in a process of its own."
  )
  static let memory = Option(
    "--memory",
    "mib",
    .integer(64...(1 << 32)),
    "Memory for all pictures together, in MiB; by default 9 tenths of what there is."
  )
  static let database = Option(
    "--database",
    "url",
    .text,
    "The PostgreSQL database; by default RAWMILL_DATABASE_URL, else one of rawmill's own."
  )
  static let root = Option(
    "--root",
    "name=folder",
    .text,
    isRepeatable: true,
    "Names a folder that other hosts have elsewhere."
  )
  static let digestPolicy = Option<DigestPolicy>(
    "--digest-policy",
    "policy",
    .choice,
    "What a wrong raw image digest is: an error (the default), a warning, or nothing."
  )
  static let metrics = Option(
    "--metrics",
    "address:port",
    .endpoint,
    "Serves /metrics for Prometheus and /healthz; a port alone listens on localhost."
  )
  static let logFormat = Option<LogFormat>(
    "--log-format",
    "format",
    .choice,
    "What lines on standard error look like: text (the default), or json."
  )
  static let logLevel = Option<LogLevel>(
    "--log-level",
    "level",
    .choice,
    "What is said on standard error: debug, info (the default), warning or error."
  )
  static let json = Flag("--json", "Print events as JSON, one a line.")
}

extension ArgumentConversion where Value == HTTPEndpoint {
  /// Where a server listens.
  static var endpoint: ArgumentConversion {
    .init("a numeric address and a port: 127.0.0.1:9464, [::1]:9464 or 9464") { bytes in
      String(validating: bytes, as: UTF8.self).flatMap { HTTPEndpoint($0) }
    }
  }
}

extension CommandSyntax {
  /// The options of what runs for long.
  func serviceOptions() -> CommandSyntax {
    option(CommonOptions.logFormat).option(CommonOptions.logLevel)
  }
}
