import Dispatch
import FileSystem
import ServiceRuntime
import TestSupport
import Testing

@Suite struct MonotonicSemaphoreTests {
  @Test func eachSignalLetsOneGoOn() {
    let semaphore = MonotonicSemaphore()
    semaphore.signal()
    semaphore.signal()
    #expect(semaphore.wait(timeout: .zero))
    #expect(semaphore.wait(timeout: .seconds(60)))
    #expect(!semaphore.wait(timeout: .zero))
    #expect(!semaphore.wait(timeout: .milliseconds(-5)))
  }

  @Test func aSignalEndsAWait() {
    let semaphore = MonotonicSemaphore()
    let waiter = BackgroundWork { semaphore.wait(timeout: .seconds(3_600)) }
    semaphore.signal()
    #expect(waiter.value() == true)
  }

  @Test func aWaitEndsWithItsTime() {
    let start = SystemInformation.monotonicTime
    #expect(!MonotonicSemaphore().wait(timeout: .milliseconds(30)))
    #expect(SystemInformation.monotonicTime - start >= .milliseconds(30))
  }

  /// The C library's waits that count by the wall clock are not used where a worker waits.
  @Test func nothingInTheWorkerWaitsByTheWallClock() throws {
    for folder in ["Sources/Worker", "Sources/ServiceRuntime"] {
      let root = PackageFolder.path(folder)
      for name in try root.fileNamesBelow() where name.hasSuffix(".swift") {
        let text = String(decoding: try root.appending(FilePath(name)).readAll(), as: UTF8.self)
        #expect(!text.contains("wait(timeout: .now()"), "\(folder)/\(name)")
        #expect(!text.contains("wait(timeout: deadline)"), "\(folder)/\(name)")
      }
    }
  }
}
