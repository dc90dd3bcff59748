import Testing
import Worker

@Suite struct ReconnectDelayTests {
  @Test func eachFailureDoublesTheDelayUpToALimit() {
    var delay = ReconnectDelay()
    #expect(delay.mayTry(at: .zero))
    var waits: [Duration] = []
    for turn in 0..<20 {
      let now = Duration.seconds(turn * 100)
      // The middle of the range: no jitter.
      delay.fail(at: now, random: 1 << 63)
      let next = delay.nextTry ?? .zero
      #expect(!delay.mayTry(at: next - .nanoseconds(1)))
      #expect(delay.mayTry(at: next))
      waits.append(next - now)
    }
    let first = [250, 500, 1_000, 2_000, 4_000].map { Duration.milliseconds($0) }
    #expect(Array(waits.prefix(5)) == first)
    #expect(waits.dropFirst(5).allSatisfy { $0 == .seconds(4) })
    delay.succeed()
    #expect(delay.mayTry(at: .zero))
    delay.fail(at: .zero, random: 1 << 63)
    #expect(delay.nextTry == .milliseconds(250))
  }

  @Test(arguments: [(UInt64.min, 125), (UInt64.max, 375)])
  func theJitterHalvesOrAddsHalf(random: UInt64, milliseconds: Int) {
    var delay = ReconnectDelay()
    delay.fail(at: .zero, random: random)
    #expect(delay.nextTry == .milliseconds(milliseconds))
  }
}
