import ServiceRuntime
import Testing

@Suite struct ProgressTests {
  private let collected = CollectedText()

  private func snapshot(_ done: Int, failed: Int = 0, at seconds: Int = 0) -> ProgressSnapshot {
    ProgressSnapshot(
      done: done,
      failed: failed,
      total: 1_000,
      elapsed: .seconds(seconds),
      picturesPerSecond: 12.3,
      megapixelsPerSecond: 148
    )
  }

  @Test(arguments: [
    (
      100,
      "[██████████████████                      ] 450/1000  3 failed  45%  ETA 0:45  12.3/s  148 MP/s"
    ),
    (80, "[███████████▎             ] 450/1000  3 failed  45%  ETA 0:45  12.3/s  148 MP/s"),
    (60, "450/1000  3 failed  45%  ETA 0:45  12.3/s  148 MP/s"),
    (40, "450/1000  3 failed  45%  ETA 0:45"),
    (10, "450/1000…"),
  ])
  func theBarFitsTheTerminal(width: Int, line: String) {
    let text = ProgressText.bar(snapshot(447, failed: 3), width: width)
    #expect(text == line)
    #expect(text.count < max(width, 11))
  }

  @Test func theBarStartsEmptyAndEndsFull() {
    let empty = ProgressSnapshot(done: 0, failed: 0, total: 5, elapsed: .zero)
    #expect(ProgressText.bar(empty, width: 30) == "[               ] 0/5  0%".replacingLength(29))
    let full = ProgressSnapshot(done: 5, failed: 0, total: 5, elapsed: .zero)
    #expect(ProgressText.bar(full, width: 30).hasPrefix("[██████"))
    let none = ProgressSnapshot(done: 0, failed: 0, total: 0, elapsed: .zero)
    #expect(ProgressText.bar(none, width: 40).contains("100%"))
  }

  @Test func plainLines() {
    #expect(
      ProgressText.line(snapshot(447, failed: 3))
        == "450 of 1000, 3 failed, 12.3/s, 148 MP/s, ETA 0:45"
    )
    let end = ProgressSnapshot(done: 5, failed: 0, total: 5, elapsed: .zero, picturesPerSecond: 1)
    #expect(ProgressText.line(end) == "5 of 5, 1.00/s")
  }

  @Test func aTerminalsLineIsRedrawnOnlyWhenItChanged() {
    var display = ProgressDisplay(.terminal(columns: 30), output: collected.output)
    var progress = ProgressSnapshot(done: 0, failed: 0, total: 100, elapsed: .zero)
    display.update(progress)
    let first = collected.take()
    #expect(first.hasPrefix("\r[") && first.hasSuffix("\u{1B}[K"))
    progress.elapsed = .milliseconds(50)
    progress.done = 1
    display.update(progress)
    #expect(collected.take() == "")  // too early
    progress.elapsed = .milliseconds(150)
    display.update(progress)
    #expect(collected.take().contains("1/100"))
    progress.elapsed = .milliseconds(300)
    display.update(progress)
    #expect(collected.take() == "")  // nothing new
    display.writeLine("a failed")
    let above = collected.take()
    #expect(above.hasPrefix("\r\u{1B}[Ka failed\n[") && above.contains("1/100"))
    display.finish(progress)
    #expect(collected.take() == "\n")
    display.writeLine("b")
    #expect(collected.take() == "b\n")
  }

  @Test func elsewhereLinesComeNowAndThen() {
    var display = ProgressDisplay(.plain, output: collected.output)
    for second in 0...25 {
      var progress = snapshot(second, at: second)
      progress.picturesPerSecond = nil
      progress.megapixelsPerSecond = nil
      display.update(progress)
    }
    #expect(collected.take() == "0 of 1000\n10 of 1000\n20 of 1000\n")
    display.writeLine("x")
    #expect(collected.take() == "x\n")
  }

  @Test func ratesForgetWhatIsLongAgo() {
    var rate = RateEstimator(window: .seconds(10))
    #expect(rate.perSecond == nil)
    rate.add(0, at: .zero)
    #expect(rate.perSecond == nil)
    for second in 1...20 { rate.add(Double(second), at: .seconds(second)) }
    #expect(rate.perSecond == 1)
    for second in 21...40 { rate.add(Double(20 + (second - 20) * 3), at: .seconds(second)) }
    #expect(rate.perSecond == 3)
  }

  @Test func timeLeftFollowsTheRate() {
    #expect(snapshot(447, failed: 3).secondsLeft == 45)
    var stuck = snapshot(1)
    stuck.picturesPerSecond = 0
    #expect(stuck.secondsLeft == nil)
  }
}

extension String {
  /// The text with the spaces of its bar widened or narrowed to a length.
  fileprivate func replacingLength(_ length: Int) -> String {
    let rest = drop { $0 != "]" }
    return "[" + String(repeating: " ", count: length - rest.count - 1) + rest
  }
}
