import Glibc
import ServiceRuntime
import Testing

@Suite struct StopSignalTests {
  @Test func countsRequests() async {
    let stop = StopSignal()
    #expect(!stop.isRequested)
    stop.request()
    #expect(stop.isRequested && !stop.isUrgent)
    stop.request()
    #expect(stop.isUrgent)
    var counts: [Int] = []
    for await count in stop.requests {
      counts.append(count)
      if count == 2 { break }
    }
    #expect(counts == [1, 2])
  }

  /// A signal that the tests' runner does not use.
  @Test func aSignalIsARequest() async {
    let stop = StopSignal.install([SIGUSR2])
    kill(getpid(), SIGUSR2)
    for await count in stop.requests {
      #expect(count == 1)
      break
    }
    #expect(stop.isRequested)
  }

  @Test func waitingEndsWithTheRequest() {
    let stop = StopSignal()
    #expect(!stop.wait(for: .zero))
    stop.request()
    #expect(stop.wait(for: .seconds(3_600)))
    #expect(stop.wait(for: .seconds(3_600)))
  }
}
