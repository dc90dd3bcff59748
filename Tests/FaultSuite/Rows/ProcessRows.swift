internal import FaultHistory
internal import FileSystem
internal import Glibc
internal import ProcessControl

extension FaultRow {
  /// Where a worker or its child is killed: the boundaries of the stages of a job.
  static let killPlaces = [
    "worker.sql.job.claim.after", "child.pread.before", "child.pread.after", "child.pwrite.before",
    "child.pwrite.after", "worker.open.before", "worker.open.after", "worker.fsync.before",
    "worker.fsync.after", "worker.sql.output.intents.before", "worker.sql.output.intents.after",
    "worker.renameat2.before", "worker.renameat2.after", "worker.sql.job.complete.before",
    "worker.sql.job.complete.after", "worker.commit.job.complete.before",
    "worker.commit.job.complete.after",
  ]

  /// Processes that die, stand still, and are asked to stop.
  static let processRows = [
    FaultRow(
      number: 2,
      name: "kill",
      summary: "kill -9 of worker and child at each stage boundary"
    ) { bench in
      let farm = try Farm(bench, "kill")
      try farm.startWorker("other")
      for round in 0..<(bench.isLong ? 5 : 1) {
        for place in killPlaces {
          let victim = try farm.startWorker("victim\(round)", slots: 1 + round % 2)
          try victim.arm(place, "kill")
          try farm.submit(6)
          // The victim may meet its end only when it gets a job.
          var more = 0
          try Wait.until("a kill at \(place)", limit: .seconds(60)) {
            if try !victim.isArmed(place) { return true }
            if more < 20, try farm.number("SELECT count(*) FROM job WHERE ready") == 0 {
              more += 1
              try farm.submit(6)
            }
            return false
          }
          let fault = farm.recorder.inject("kill", place)
          try farm.recover(fault, from: try farm.leaseTokens())
          if place.hasPrefix("worker") {
            try Wait.until("the end of the worker", limit: .seconds(10)) { !victim.isRunning }
          } else {
            try victim.stop()
          }
        }
      }
      try farm.finish()
      return farm
    },
    FaultRow(
      number: 3,
      name: "stop",
      summary: "SIGSTOP past the lease before a publication and before a completion, then SIGCONT"
    ) { bench in
      let farm = try Farm(bench, "stop")
      for place in [
        "worker.renameat2.before", "worker.sql.job.complete.before", "worker.fsync.after",
      ] {
        let zombie = try farm.startWorker("zombie")
        try zombie.arm(place, "stop")
        try farm.submit(4)
        try Wait.until("a stop at \(place)", limit: .seconds(60)) { try !zombie.isArmed(place) }
        let fault = farm.recorder.inject("stop", place)
        let tokens = try farm.leaseTokens()
        try farm.startWorker("successor")
        // The lease runs out, the successor takes the job and ends it.
        try farm.recover(fault, from: tokens)
        try farm.finish()
        farm.recorder.add(.ended(fault: fault))
        farm.recorder.add(.recovered(fault: fault))
        zombie.send(SIGCONT)
        try farm.submit(4)
        try farm.finish()
        try farm.stopWorkers()
        let lives = try farm.number("SELECT count(*) FROM worker WHERE state = 2")
        guard lives >= 2 else { throw SuiteError.broken("the stopped worker was never given up") }
      }
      return farm
    },
    FaultRow(
      number: 14,
      name: "drain",
      summary: "SIGTERM once, twice, and while a completion is committed"
    ) { bench in
      let farm = try Farm(bench, "drain")
      for round in 0..<(bench.isLong ? 12 : 3) {
        let worker = try farm.startWorker("worker\(round)", slots: 2)
        let place = [
          "worker.commit.job.complete.before", "child.pwrite.after", "worker.fsync.before",
        ][round % 3]
        try worker.arm(place, round % 3 == 1 ? "delay 3000" : "delay 700")
        try farm.submit(8)
        try Wait.until("a pause at \(place)", limit: .seconds(60)) { try !worker.isArmed(place) }
        let fault = farm.recorder.inject("terminate", place, recovers: false)
        worker.send(SIGTERM)
        if round % 3 == 1 {
          Wait.pause(.milliseconds(200))
          worker.send(SIGTERM)
        }
        try Wait.until("the end of the worker", limit: .seconds(40)) { !worker.isRunning }
        guard worker.exit?.isSuccess == true else {
          throw SuiteError.broken(
            "a worker that was told to stop ended with \(String(describing: worker.exit))"
          )
        }
        guard try farm.number("SELECT count(*) FROM lease") == 0 else {
          throw SuiteError.broken("a worker that was told to stop left a lease")
        }
        farm.recorder.add(.ended(fault: fault))
      }
      guard try farm.number("SELECT coalesce(sum(crashes + failures), 0)::bigint FROM job") == 0
      else {
        throw SuiteError.broken("a stop counted against a job")
      }
      try farm.startWorker("last", slots: 2)
      try farm.finish()
      return farm
    },
    FaultRow(
      number: 20,
      name: "clone",
      summary:
        "a row with a living worker's identity, one of a process id that is another's by now, a false token"
    ) { bench in
      let farm = try Farm(bench, "clone")
      try farm.startWorker("real")
      try farm.submit(bench.isLong ? 200 : 30)
      try Wait.until("a registration", limit: .seconds(30)) {
        try farm.number("SELECT count(*) FROM worker") > 0
      }
      let clone = farm.recorder.inject("clone", "a row with the worker's identity that never beats")
      let reused = farm.recorder.inject(
        "reuse",
        "a row with the worker's process id and another start"
      )
      // Each holds a job for ever, as far as the rows say.
      try farm.execute(
        """
        WITH w AS (
          INSERT INTO worker (host, boot_id, pid, start_ticks, version, slots, threads)
          SELECT host, boot_id, pid, start_ticks + n, version, slots, threads
          FROM worker, generate_series(0, 1) AS n WHERE worker.id = 1 RETURNING id
        ), j AS (
          UPDATE job SET ready = false, attempt = attempt + 1
          WHERE id = ANY (ARRAY(SELECT id FROM job WHERE ready ORDER BY id DESC LIMIT 2 FOR UPDATE))
          RETURNING id, attempt, batch_id
        )
        INSERT INTO lease (job_id, token, worker_id, attempt, batch_id)
        SELECT j.id, gen_random_uuid(), w.id, j.attempt, j.batch_id
        FROM (SELECT *, row_number() OVER () AS n FROM j) AS j
        JOIN (SELECT *, row_number() OVER () AS n FROM w) AS w USING (n)
        """
      )
      let tokens = try farm.leaseTokens()
      try farm.recover(reused, from: tokens)
      try farm.recover(clone, from: tokens)
      try farm.finish()
      guard try farm.number("SELECT count(*) FROM worker WHERE state < 2") == 1 else {
        throw SuiteError.broken("the clones are not dead, or the worker itself is")
      }
      return farm
    },
  ]
}
