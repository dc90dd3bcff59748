internal import JSON
internal import JobModel
internal import Reporting
internal import ServiceRuntime

/// What `watch` shows: a screen, lines, or events.
struct WatchView: ~Copyable {
  /// Lines go into logs: a batch that moves has one every ten seconds.
  private static let lineInterval: Int64 = 10_000_000

  private let output: TextOutput
  private let log: Log
  private let events: EventStream
  private let screen: ScreenOutput?
  private let keys: KeyInput?
  /// What was written of each batch, and when.
  private var lines: [BatchID: (text: String, microseconds: Int64)] = [:]
  private var lastTrouble = ""
  /// What was said of hosts that are set aside: each stretch of time once.
  private var asides: Set<String> = []

  init(_ program: Program, _ events: EventStream) {
    output = program.standardOutput
    log = program.log
    self.events = events
    guard !events.isEnabled, Terminal.isInteractive(1) else {
      screen = nil
      keys = nil
      return
    }
    keys = KeyInput.take()
    screen = ScreenOutput(output)
    screen?.begin()
  }

  /// Shows the farm.
  mutating func show(_ farm: FarmSnapshot) {
    lastTrouble = ""
    if events.isEnabled {
      events.emit("farm", ["farm": .object(farm.json)])
    } else if let screen {
      let size = (width: Terminal.width(1), height: Terminal.height(1))
      let notice = keys == nil ? "Ctrl-C ends" : "q ends"
      screen.draw(
        FarmScreen.lines(farm, width: size.width, height: size.height, notice: notice)
      )
    } else {
      write(farm, isLast: false)
    }
  }

  /// Says that the database is away.
  mutating func showTrouble(_ text: String) {
    guard text != lastTrouble else { return }
    lastTrouble = text
    events.emit("databaseFailed", ["message": .string(text)])
    if let screen {
      let line = TerminalText.harmless("the database is away: \(text)")
      screen.draw([TerminalText.truncated(line, to: Terminal.width(1) - 1)])
    } else if !events.isEnabled {
      log.warning("the database is away and will be asked again: \(text)")
    }
  }

  /// Waits until the next look; says whether it is to be the last.
  mutating func waits(_ interval: Duration, _ stop: StopSignal) -> Bool {
    guard keys != nil else { return stop.wait(for: interval) }
    let slice = Duration.milliseconds(100)
    var left = interval
    while left > .zero, !stop.isRequested {
      // q, Q, and Ctrl-D.
      if let key = keys?.next(within: min(slice, left)), [0x71, 0x51, 0x04].contains(key) {
        return true
      }
      left -= slice
    }
    return stop.isRequested
  }

  /// Gives the terminal back and leaves the last state on it.
  mutating func end(_ farm: FarmSnapshot) {
    screen?.end()
    if !events.isEnabled { write(farm, isLast: true) }
  }

  private mutating func write(_ farm: FarmSnapshot, isLast: Bool) {
    var asides: Set<String> = []
    for aside in farm.setAside {
      let key = "\(aside.host)\u{0}\(aside.root ?? "")\u{0}\(aside.untilMicroseconds)"
      asides.insert(key)
      if !self.asides.contains(key) { output.writeLine(aside.text(now: farm.microseconds)) }
    }
    self.asides = asides
    for status in farm.batches {
      let batch = status.batch
      let name = TerminalText.harmless(batch.name)
      let state = TerminalText.harmless(status.pauseText ?? status.stateText)
      let progress = ProgressText.line(status.progress())
      let text = "batch \(batch.id) \(name), \(state): \(progress)"
      if let last = lines[batch.id] {
        // The end, or the last state, is said once, whatever the time.
        guard text != last.text else { continue }
        let isDue = farm.microseconds - last.microseconds >= Self.lineInterval
        guard isDue || isLast || status.isOver else { continue }
      }
      lines[batch.id] = (text, farm.microseconds)
      output.writeLine(text)
    }
    if isLast, farm.batches.isEmpty { output.writeLine("no batch is open") }
  }
}
