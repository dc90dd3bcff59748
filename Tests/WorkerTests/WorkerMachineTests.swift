import Diagnostics
import Digest
import FileSystem
import JSON
import JobModel
import TestSupport
import Testing
import Worker

@Suite struct WorkerMachineTests {
  private func job(_ id: Int64) -> ClaimedJob {
    let digest = SHA256.digest(of: [])
    return ClaimedJob(
      id: JobID(rawValue: id),
      attempt: 1,
      token: LeaseToken(high: 0, low: UInt64(id)),
      batch: BatchID(rawValue: 1),
      input: InputFile(
        location: FileLocation(root: "/", path: "a"),
        size: 1,
        modificationNanoseconds: 0
      ),
      recipe: RecipeRecord(digest: digest, canonicalJSON: "{}"),
      outputs: [],
      counts: FailureCounts(),
      retryPolicy: .farm
    )
  }

  private func report(_ job: ClaimedJob) -> JobReport {
    let digest = SHA256.digest(of: [])
    return JobReport(
      lease: job.lease,
      provenance: ProvenanceRecord(
        input: job.input,
        inputSHA256: digest,
        recipeDigest: digest,
        resolvedDigest: digest,
        resolvedSettings: .null,
        pixelVersion: 1,
        engineVersion: "1",
        sourceRevision: "",
        libraryVersions: [:],
        host: "h",
        stageNanoseconds: [],
        peakMemoryBytes: 0
      ),
      pixels: 1
    )
  }

  private let failure = JobFailure(failureClass: .transient, code: "c", message: "m")

  /// The actions in a short notation: `claim 2`, `start 0:7`, `complete 7`.
  private func text(_ actions: [WorkerMachine.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .register: "register"
      case .claim(let count): "claim \(count)"
      case .claimHeavy(let slots): "claimHeavy \(slots)"
      case .start(let slot, let job, 1): "start \(slot):\(job.id)"
      case .start(let slot, let job, let memorySlots): "start \(slot):\(job.id) x\(memorySlots)"
      case .interrupt(let slot): "interrupt \(slot)"
      case .settle(.complete(let job, _)): "complete \(job.id)"
      case .settle(.fail(let job, _)): "fail \(job.id)"
      case .settle(.release(let job)): "release \(job.id)"
      case .settle(.stop(let job)): "stop \(job.id)"
      case .drain: "drain"
      case .end: "end"
      }
    }
  }

  /// A worker with `slots` slots that works on jobs 1, 2 ….
  private func working(slots: Int, jobs: Int, prefetch: Int = 0) -> WorkerMachine {
    var machine = WorkerMachine(slotCount: slots, prefetch: prefetch)
    _ = machine.start()
    _ = machine.handle(.registered)
    _ = machine.handle(.claimed((1...jobs).map { job(Int64($0)) }))
    return machine
  }

  @Test func registersClaimsAndStarts() {
    var machine = WorkerMachine(slotCount: 2)
    #expect(text(machine.start()) == ["register"])
    #expect(text(machine.handle(.registered)) == ["claim 2"])
    #expect(text(machine.handle(.claimed([job(1)]))) == ["start 0:1", "claim 1"])
    #expect(text(machine.handle(.claimed([]))) == [])
    // Nothing there: asked again at the next poll, once.
    #expect(text(machine.handle(.poll)) == ["claim 1"])
    #expect(text(machine.handle(.poll)) == [])
    #expect(text(machine.handle(.claimed([job(2)]))) == ["start 1:2"])
    #expect(text(machine.handle(.poll)) == [])
    #expect(machine.heldJobs.map(\.id.rawValue) == [1, 2])
  }

  @Test func completesAndClaimsInOneGo() {
    var machine = working(slots: 1, jobs: 1)
    #expect(
      text(machine.handle(.finished(slot: 0, .completed(report(job(1))))))
        == ["complete 1", "claim 1"]
    )
  }

  @Test func prefetchedJobsStartAtOnce() {
    var machine = working(slots: 1, jobs: 2, prefetch: 1)
    #expect(machine.heldJobs.count == 2)
    #expect(
      text(machine.handle(.finished(slot: 0, .failed(failure)))) == ["fail 1", "start 0:2"]
    )
  }

  /// A job that needs the memory of two slots: they are kept free for it, and nothing else has them.
  @Test func aHeavyJobGetsTheMemoryOfSeveralSlots() {
    var machine = working(slots: 3, jobs: 3)
    #expect(text(machine.handle(.heavyWaits(slots: 2))) == [])
    #expect(text(machine.handle(.finished(slot: 1, .failed(failure)))) == ["fail 2"])
    #expect(text(machine.handle(.poll)) == [])
    #expect(
      text(machine.handle(.finished(slot: 0, .failed(failure)))) == ["fail 1", "claimHeavy 2"]
    )
    #expect(text(machine.handle(.claimed([job(9)]))) == ["start 0:9 x2"])
    // A slot without a job is left, but no memory for it.
    #expect(text(machine.handle(.poll)) == [])
    #expect(text(machine.handle(.heavyWaits(slots: 2))) == [])
    #expect(
      text(machine.handle(.finished(slot: 2, .failed(failure)))) == ["fail 3"]
    )
    #expect(
      text(machine.handle(.finished(slot: 0, .completed(report(job(9))))))
        == ["complete 9", "claimHeavy 2"]
    )
    // Another worker has it: work goes on as before.
    #expect(text(machine.handle(.claimed([]))) == ["claim 3"])
  }

  @Test func aHeavyJobIsGivenBackByADrainAndForgottenByALostLife() {
    var machine = WorkerMachine(slotCount: 2)
    _ = machine.handle(.registered)
    _ = machine.handle(.claimed([]))
    #expect(text(machine.handle(.heavyWaits(slots: 8))) == ["claimHeavy 2"])
    #expect(text(machine.handle(.stop(isUrgent: false))) == ["drain"])
    #expect(text(machine.handle(.claimed([job(4)]))) == ["release 4", "end"])
    var lost = WorkerMachine(slotCount: 2)
    _ = lost.handle(.registered)
    _ = lost.handle(.claimed([]))
    #expect(text(lost.handle(.heavyWaits(slots: 2))) == ["claimHeavy 2"])
    #expect(text(lost.handle(.leasesEnded)) == [])
    #expect(text(lost.handle(.claimed([job(4)]))) == ["register"])
    #expect(text(lost.handle(.registered)) == ["claim 2"])
    #expect(text(lost.handle(.claimed([job(5)]))) == ["start 0:5", "claim 1"])
  }

  @Test func drainsByFinishing() {
    var machine = working(slots: 2, jobs: 3, prefetch: 1)
    #expect(text(machine.handle(.stop(isUrgent: false))) == ["drain", "release 3"])
    #expect(text(machine.handle(.poll)) == [])
    #expect(
      text(machine.handle(.finished(slot: 0, .completed(report(job(1)))))) == ["complete 1"]
    )
    #expect(text(machine.handle(.graceEnded)) == ["interrupt 1"])
    #expect(text(machine.handle(.finished(slot: 1, .interrupted))) == ["release 2", "end"])
    #expect(machine.phase == .ended)
    #expect(!machine.isUnfit)
  }

  @Test func aSecondStopInterrupts() {
    var machine = working(slots: 2, jobs: 2)
    _ = machine.handle(.stop(isUrgent: false))
    #expect(text(machine.handle(.stop(isUrgent: true))) == ["interrupt 0", "interrupt 1"])
    // One was faster than its interruption: its work counts.
    #expect(
      text(machine.handle(.finished(slot: 0, .completed(report(job(1)))))) == ["complete 1"]
    )
    #expect(text(machine.handle(.finished(slot: 1, .interrupted))) == ["release 2", "end"])
  }

  @Test func aStopWithoutWorkEnds() {
    var idle = WorkerMachine(slotCount: 1)
    _ = idle.handle(.registered)
    #expect(text(idle.handle(.claimed([]))) == [])
    #expect(text(idle.handle(.stop(isUrgent: false))) == ["drain", "end"])
    var early = WorkerMachine(slotCount: 1)
    #expect(text(early.handle(.stop(isUrgent: false))) == ["end"])
  }

  @Test func jobsClaimedDuringAStopAreGivenBack() {
    var machine = WorkerMachine(slotCount: 2)
    _ = machine.handle(.registered)
    #expect(text(machine.handle(.stop(isUrgent: false))) == ["drain"])
    #expect(
      text(machine.handle(.claimed([job(1), job(2)]))) == ["release 1", "release 2", "end"]
    )
  }

  @Test func cancelledJobsStop() {
    var machine = working(slots: 1, jobs: 2, prefetch: 1)
    #expect(
      text(
        machine.handle(
          .heartbeat(cancelled: [JobID(rawValue: 1), JobID(rawValue: 2)], lost: [])
        )
      )
        == ["interrupt 0", "stop 2"]
    )
    #expect(!machine.holdsLease(slot: 0))
    // Told again by the next beat: nothing more to do.
    #expect(
      text(machine.handle(.heartbeat(cancelled: [JobID(rawValue: 1)], lost: []))) == []
    )
    #expect(text(machine.handle(.finished(slot: 0, .interrupted))) == ["stop 1", "claim 2"])
  }

  @Test func nothingIsWrittenAboutALostJob() {
    for end in [JobEnd.interrupted, .failed(failure), .completed(report(job(1)))] {
      var machine = working(slots: 1, jobs: 1)
      #expect(
        text(machine.handle(.heartbeat(cancelled: [], lost: [JobID(rawValue: 1)])))
          == ["interrupt 0"]
      )
      #expect(text(machine.handle(.finished(slot: 0, end))) == ["claim 1"])
    }
  }

  @Test func aLostLifeStopsEverythingAndBeginsAnew() {
    var machine = working(slots: 2, jobs: 3, prefetch: 1)
    #expect(machine.holdsLease(slot: 0))
    #expect(text(machine.handle(.leasesEnded)) == ["interrupt 0", "interrupt 1"])
    #expect(!machine.holdsLease(slot: 0))
    #expect(text(machine.handle(.poll)) == [])
    #expect(text(machine.handle(.finished(slot: 0, .completed(report(job(1)))))) == [])
    #expect(text(machine.handle(.finished(slot: 1, .interrupted))) == ["register"])
    #expect(machine.heldJobs.isEmpty)
    #expect(text(machine.handle(.registered)) == ["claim 3"])
  }

  @Test func aLostLifeInADrainEnds() {
    var machine = working(slots: 1, jobs: 1)
    _ = machine.handle(.stop(isUrgent: false))
    #expect(text(machine.handle(.leasesEnded)) == ["interrupt 0"])
    #expect(text(machine.handle(.finished(slot: 0, .interrupted))) == ["end"])
  }

  @Test func anUnfitWorkerGivesItsJobsBack() {
    var machine = working(slots: 2, jobs: 2)
    #expect(
      text(machine.handle(.finished(slot: 0, .workerUnfit(failure)))) == ["release 1", "drain"]
    )
    #expect(
      text(machine.handle(.finished(slot: 1, .completed(report(job(2))))))
        == ["complete 2", "end"]
    )
    #expect(machine.isUnfit)
  }

  @Test func endsWhenItsWorkIsDone() {
    var machine = working(slots: 1, jobs: 1)
    // Something of another batch still runs: not yet.
    #expect(text(machine.handle(.workIsDone)) == [])
    _ = machine.handle(.finished(slot: 0, .failed(failure)))
    _ = machine.handle(.claimed([]))
    #expect(text(machine.handle(.workIsDone)) == ["drain", "end"])
  }

  /// Whatever happens in whatever order: no slot is started twice, no job is settled twice, and a
  /// worker that was stopped ends when its slots are free.
  @Test(arguments: 0..<40) func randomSchedules(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var machine = WorkerMachine(slotCount: 3, prefetch: Int(seed % 3))
    var running: [Int: ClaimedJob] = [:]
    var memory: [Int: Int] = [:]
    var settled: Set<JobID> = []
    var nextID: Int64 = 1
    var claims: [Int] = []
    var isRegistering = false
    var hasEnded = false
    func apply(_ actions: [WorkerMachine.Action]) {
      for action in actions {
        #expect(!hasEnded, "an action after the end")
        switch action {
        case .register: isRegistering = true
        case .claim(let count):
          #expect(count > 0)
          claims.append(count)
        case .claimHeavy(let slots):
          #expect(slots > 1 && slots <= 3)
          claims.append(1)
        case .start(let slot, let job, let memorySlots):
          #expect(running.updateValue(job, forKey: slot) == nil)
          memory[slot] = memorySlots
          #expect(running.keys.reduce(0) { $0 + (memory[$1] ?? 0) } <= 3)
        case .settle(let settlement): #expect(settled.insert(settlement.job.id).inserted)
        case .end: hasEnded = true
        case .interrupt, .drain: break
        }
      }
      #expect(claims.count <= 1)
    }
    apply(machine.start())
    for step in 0..<400 {
      if step == 390 { apply(machine.handle(.stop(isUrgent: true))) }
      switch generator.next() % 13 {
      case 0...3:
        guard let slot = running.keys.sorted().first, let job = running[slot] else { continue }
        running[slot] = nil
        let ends: [JobEnd] = [.completed(report(job)), .failed(failure), .interrupted]
        apply(machine.handle(.finished(slot: slot, ends[Int(generator.next() % 3)])))
      case 4...7:
        guard let count = claims.popLast() else { continue }
        let granted = Int(generator.next() % UInt64(count + 1))
        let jobs = (0..<granted).map { job(nextID + Int64($0)) }
        nextID += Int64(granted)
        apply(machine.handle(.claimed(jobs)))
      case 8: apply(machine.handle(.poll))
      case 12: apply(machine.handle(.heavyWaits(slots: Int(generator.next() % 5))))
      case 9:
        let id = JobID(rawValue: max(1, nextID - Int64(generator.next() % 4)))
        apply(
          machine.handle(
            generator.next() % 2 == 0
              ? .heartbeat(cancelled: [id], lost: []) : .heartbeat(cancelled: [], lost: [id])
          )
        )
      case 10:
        if isRegistering {
          isRegistering = false
          apply(machine.handle(.registered))
        }
      default: if generator.next() % 8 == 0 { apply(machine.handle(.leasesEnded)) }
      }
    }
    // Let everything come to its end.
    if claims.popLast() != nil { apply(machine.handle(.claimed([]))) }
    for slot in running.keys.sorted() {
      running[slot] = nil
      apply(machine.handle(.finished(slot: slot, .interrupted)))
    }
    #expect(hasEnded || isRegistering)
    #expect(machine.heldJobs.isEmpty)
  }
}
