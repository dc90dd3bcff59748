import FileSystem
import ProcessControl
import Testing
import Worker

@Suite struct HostIdentityTests {
  @Test func aProcessIsNamedByItsStart() throws {
    let running = try RunningProgram.start(
      ProgramLaunch("/bin/sleep", arguments: ["600"])
    )
    let process = running.processID
    let ticks = HostIdentity.startTicks(of: process)
    #expect(ticks != nil)
    #expect(ticks == HostIdentity.startTicks(of: process))
    _ = running.kill()
    #expect(HostIdentity.startTicks(of: process) == nil)
  }

  @Test func anEndedProcessThatNobodyWaitedForIsGone() throws {
    let running = try RunningProgram.start(ProgramLaunch("/bin/true"))
    let hasEnded = running.hasEnded(within: .seconds(20))
    #expect(hasEnded)
    #expect(HostIdentity.startTicks(of: running.processID) == nil)
    _ = running.wait()
  }

  @Test func namesBootAndNamespace() {
    let identity = HostIdentity.current
    #expect(!identity.host.isEmpty)
    #expect(identity.bootID.contains("pid:["))
    #expect(!identity.bootID.contains("unknown"))
  }
}
