internal import Diagnostics
internal import FileSystem
internal import HTTP
internal import JobStore
internal import PostgresClient
internal import ServiceRuntime

/// `rawmill notify`: tells a webhook what happens to batches.
enum NotifyCommand: Command {
  static let webhook = Option(
    "--webhook",
    "url",
    .text,
    "Where events are posted, https or http; by default RAWMILL_WEBHOOK_URL."
  )
  static let secretFile = Option(
    "--secret-file",
    "file",
    .path,
    "A file whose content, less a line feed at its end, signs what is posted."
  )
  static let authorities = Option(
    "--ca-file",
    "file",
    .path,
    "A PEM file of the certificate authorities to trust instead of the system's."
  )
  static let name = Option(
    "--name",
    "name",
    .text,
    "The receiver: what was delivered is remembered by it; by default, the URL's host."
  )
  static let timeout = Option(
    "--timeout",
    "seconds",
    .integer(1...300),
    "How long a receiver may take for an answer; 15 if absent."
  )
  static let once = Flag("--once", "Deliver what is due now, and end.")

  static let environmentName = "RAWMILL_WEBHOOK_URL"

  static var syntax: CommandSyntax {
    CommandSyntax(
      "notify",
      "Tell a webhook when a batch is finished, pauses itself or fails a lot."
    )
    .discussion(
      """
      Each event is posted as JSON until the receiver answers with a status from 200 to 299: at \
      least once, and with the same id each time. Attempts that fail are repeated for more than a \
      day, at ever longer intervals. A receiver is told what happens after this command's first start \
      for it; what was delivered is remembered in the database, so one such process serves the farm \
      and may be restarted.

      With --secret-file each post has a header Rawmill-Signature: t=SECONDS,v1=HEX, the HMAC-SHA-256 of \
      SECONDS, a full stop and the body.
      """
    )
    .option(webhook).option(secretFile).option(authorities).option(name).option(timeout)
    .flag(once).option(CommonOptions.database).option(CommonOptions.metrics).serviceOptions()
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let source = try DatabaseSource.find(arguments)
    let sender = try sender(arguments)
    let stop = StopSignal.install()
    let address = try source.openQueue(program.log).address
    let metrics = NotifierMetrics()
    let server = try MetricsServer.start(arguments, program, metrics)
    let notifier = Notifier(
      database: address,
      receiver: arguments[name] ?? sender.url.host,
      sender: sender,
      log: program.log,
      metrics: metrics
    )
    try withExtendedLifetime(server) { () throws(ProgramError) in
      try wrappingQueue { () throws(JobStoreError) in
        try notifier.run(stop, isOnce: arguments[once])
      }
    }
    return .success
  }

  private static func sender(_ arguments: ParsedArguments) throws(ProgramError) -> WebhookSender {
    guard let text = arguments[webhook] ?? SystemInformation.environment(environmentName) else {
      throw .usage(.missingOption("--webhook", "url"))
    }
    let url: HTTPURL
    do throws(HTTPError) {
      url = try HTTPURL(text)
    } catch {
      // The URL itself may be a secret.
      throw .usage(.conflict("--webhook: \(error.message)"))
    }
    var secret: [UInt8]?
    if let file = arguments[secretFile] {
      var bytes = try wrappingFiles { () throws(SystemError) in try file.readAll(limit: 4_096) }
      if bytes.last == 0x0A { bytes.removeLast() }
      guard bytes.count >= 16 else {
        throw .usage(.conflict("--secret-file: \(file.displayText) has fewer than 16 bytes"))
      }
      secret = bytes
    }
    var authorities: String?
    if let file = arguments[Self.authorities] {
      guard let text = file.exactText, !text.utf8.contains(0) else {
        throw .usage(.conflict("--ca-file: \(file.displayText) is not UTF-8"))
      }
      authorities = text
    }
    return WebhookSender(
      url: url,
      secret: secret,
      certificateAuthorities: authorities,
      timeout: .seconds(arguments[timeout] ?? 15)
    )
  }
}
