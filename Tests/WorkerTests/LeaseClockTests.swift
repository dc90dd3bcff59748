import Testing
import Worker

@Suite struct LeaseClockTests {
  @Test func countsFromTheSendingOfTheLastBeat() {
    var clock = LeaseClock(leaseLength: .seconds(30), margin: .seconds(6))
    #expect(!clock.isValid(at: .zero))
    clock.restart(at: .seconds(100))
    #expect(clock.isValid(at: .seconds(123)))
    #expect(!clock.isValid(at: .seconds(124)))
    clock.beat(sentAt: .seconds(105))
    #expect(clock.end == .seconds(129))
    // An answer that comes late does not shorten what a later beat brought.
    clock.beat(sentAt: .seconds(101))
    #expect(clock.end == .seconds(129))
    clock.restart(at: .seconds(50))
    #expect(clock.end == .seconds(74))
  }
}
