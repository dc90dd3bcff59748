internal import FaultHistory
internal import FileSystem
internal import PostgresClient

extension FaultRow {
  /// The server goes away, comes back, and is in a bad way.
  static let databaseRows = [
    FaultRow(
      number: 4,
      name: "terminate",
      summary: "sessions ended inside a completion, and again and again"
    ) { bench in
      let farm = try Farm(bench, "terminate")
      for index in 0..<2 { try farm.startWorker("w\(index)", slots: 2) }
      // Every seventh completion is slow enough to be met in its middle.
      try farm.execute(
        """
        CREATE FUNCTION rawmill.suite_slow() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.job_id % 7 = 0 THEN PERFORM pg_sleep(0.3); END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER suite_slow BEFORE INSERT ON rawmill.provenance
          FOR EACH ROW EXECUTE FUNCTION rawmill.suite_slow()
        """
      )
      try farm.submit(bench.isLong ? 400 : 80)
      var inside = 0
      var other = 0
      try Wait.until("the end under terminations", limit: .seconds(bench.isLong ? 300 : 90)) {
        let met = try farm.number(
          """
          SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'rawmill worker'
            AND wait_event = 'PgSleep'
          """
        )
        for _ in 0..<met {
          _ = farm.recorder.inject("terminate", "inside a completion", recovers: false)
        }
        inside += Int(met)
        if other < (bench.isLong ? 40 : 8), inside > 0 {
          other += 1
          let fault = farm.recorder.inject(
            "terminate",
            "every session of the workers",
            recovers: false
          )
          _ = try farm.number(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name LIKE 'rawmill%'
            """
          )
          farm.recorder.add(.ended(fault: fault))
        }
        // A job that is met each time would never end.
        if inside >= 12 { try farm.execute("DROP TRIGGER IF EXISTS suite_slow ON provenance") }
        return try farm.number("SELECT count(*) FROM batch WHERE finished_at IS NULL") == 0
      }
      guard inside > 0 else { throw SuiteError.broken("no session was met inside a completion") }
      try farm.finish()
      return farm
    },
    FaultRow(
      number: 5,
      name: "crash",
      summary: "pg_ctl stop -m immediate under load, and a start"
    ) { bench in
      let server = try Server.create(
        bench.folder.appending(FilePath("crashing\(bench.serial.next())"))
      )
      let farm = try Farm(bench, "crash", server: server)
      for index in 0..<2 { try farm.startWorker("w\(index)", slots: 2) }
      try farm.submit(bench.isLong ? 1_000 : 150)
      for _ in 0..<(bench.isLong ? 10 : 3) {
        Wait.pause(.milliseconds(800))
        let fault = farm.recorder.inject("serverCrash", "pg_ctl stop -m immediate")
        try server.stop("immediate")
        Wait.pause(.milliseconds(500))
        try server.start()
        farm.recorder.add(.ended(fault: fault))
        try farm.recoverByWork(fault)
      }
      try farm.finish(limit: .seconds(180))
      return farm
    },
    FaultRow(
      number: 6,
      name: "failover",
      summary: "the primary dies, an asynchronous standby is promoted"
    ) { bench in
      let number = bench.serial.next()
      let server = try Server.create(
        bench.folder.appending(FilePath("primary\(number)")),
        settings: "max_wal_senders = 4\nwal_keep_size = '64MB'"
      )
      let farm = try Farm(bench, "failover", server: server)
      let standby = try server.standby(bench.folder.appending(FilePath("standby\(number)")))
      farm.workerURL =
        "postgresql://rawmill@127.0.0.1:\(server.port),127.0.0.1:\(standby.port)/\(farm.database)"
        + "?target_session_attrs=read-write"
      for index in 0..<2 { try farm.startWorker("w\(index)", slots: 2) }
      try farm.submit(bench.isLong ? 400 : 120)
      try Wait.until("some work", limit: .seconds(60)) {
        try farm.number("SELECT count(*) FROM job WHERE outcome = 1") > 20
      }
      let fault = farm.recorder.inject("failover", "pg_ctl stop -m immediate, pg_ctl promote")
      try server.stop("immediate")
      try standby.promote()
      farm.replaceServer(by: standby)
      farm.recorder.add(.ended(fault: fault))
      try farm.recoverByWork(fault)
      try farm.finish(limit: .seconds(120))
      return farm
    },
    FaultRow(
      number: 9,
      name: "clocks",
      summary: "the server's clock an hour forward and back, workers a day ahead and behind"
    ) { bench in
      let library: FilePath = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
      guard try library.statusIfExists() != nil else {
        throw SuiteError.skipped("Debian's faketime is not installed")
      }
      let folder = bench.folder.appending(FilePath("clock\(bench.serial.next())"))
      let server = try Server.create(folder)
      try server.stop("fast")
      let clock = folder.appending("time")
      func set(_ offset: String) throws {
        let hidden = folder.appending(".time")
        try Farm.write(Array("\(offset)\n".utf8), to: hidden)
        try hidden.rename(replacing: clock)
      }
      try set("+0")
      server.environment = [
        "LD_PRELOAD": library.displayText, "FAKETIME_TIMESTAMP_FILE": clock.displayText,
        "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
        "DONT_FAKE_MONOTONIC": "1",
      ]
      try server.start()
      let farm = try Farm(bench, "clocks", server: server)
      for (name, offset) in [("ahead", "+1d"), ("behind", "-1d"), ("right", "+0")] {
        // libfaketime starts its first program anew, without the arguments: env is the first here.
        try farm.startWorker(
          name,
          isPreloadedEarly: true,
          environment: [
            "LD_PRELOAD": "\(bench.library.displayText):\(library.displayText)", "FAKETIME": offset,
            "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
          ]
        )
      }
      try farm.submit(bench.isLong ? 600 : 150)
      for offset in bench.isLong
        ? ["+3600", "+0", "-3600", "+0", "+3600", "-3600"] : ["+3600", "-3600"]
      {
        Wait.pause(.milliseconds(1_500))
        let fault = farm.recorder.inject("serverClock", offset)
        try set(offset)
        Wait.pause(.milliseconds(2_500))
        farm.recorder.add(.ended(fault: fault))
        try farm.recoverByWork(fault)
        guard try farm.number("SELECT count(*) FROM worker WHERE state = 2") == 0 else {
          throw SuiteError.broken("a worker was given up because a clock jumped")
        }
      }
      try set("+0")
      try farm.finish(limit: .seconds(180))
      guard try farm.number("SELECT coalesce(sum(crashes), 0)::bigint FROM job") == 0 else {
        throw SuiteError.broken("jobs were rescued because a clock jumped")
      }
      return farm
    },
    FaultRow(
      number: 21,
      name: "contention",
      summary:
        "locks held past lock_timeout, deadlocks, serialization failures, too many connections"
    ) { bench in
      let farm = try Farm(bench, "contention")
      try farm.execute(
        """
        CREATE SEQUENCE rawmill.suite_count;
        CREATE FUNCTION rawmill.suite_fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          CASE nextval('rawmill.suite_count') % 9
            WHEN 2 THEN RAISE 'suite' USING ERRCODE = '40P01';
            WHEN 5 THEN RAISE 'suite' USING ERRCODE = '40001';
            WHEN 7 THEN RAISE 'suite' USING ERRCODE = '55P03';
            ELSE RETURN NEW;
          END CASE;
        END $$;
        CREATE TRIGGER suite_fail BEFORE INSERT ON rawmill.provenance
          FOR EACH ROW EXECUTE FUNCTION rawmill.suite_fail();
        CREATE TRIGGER suite_fail BEFORE INSERT ON rawmill.output
          FOR EACH ROW EXECUTE FUNCTION rawmill.suite_fail()
        """
      )
      for index in 0..<2 { try farm.startWorker("w\(index)", slots: 2) }
      try farm.submit(bench.isLong ? 300 : 60)
      _ = farm.recorder.inject(
        "sqlError",
        "40P01, 40001, 55P03 in a third of the writes",
        recovers: false
      )
      for table in ["lease", "job", "worker", "batch"] {
        let fault = farm.recorder.inject("lock", table)
        let before = farm.workers.map { $0.processorTime() }
        try farm.execute("BEGIN; LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE")
        // Longer than the heartbeat's lock_timeout; for one table in the long form longer than any.
        Wait.pause(.milliseconds(bench.isLong && table == "job" ? 11_500 : 2_400))
        try farm.execute("COMMIT")
        farm.recorder.add(.ended(fault: fault))
        for (worker, old) in zip(farm.workers, before)
        where worker.processorTime() - old > .milliseconds(1_500) {
          throw SuiteError.broken(
            "\(worker.name) burnt \(worker.processorTime() - old) while \(table) was locked"
          )
        }
        try farm.recoverByWork(fault)
        try farm.submit(10)
      }
      // Every connection taken, and the workers' own broken.
      let fault = farm.recorder.inject("connections", "max_connections reached")
      var hoard: [PostgresConnection] = []
      while let more = try? farm.server.connect(farm.database) { hoard.append(more) }
      _ = try farm.number(
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'rawmill%'
        """
      )
      while let more = try? farm.server.connect(farm.database) { hoard.append(more) }
      Wait.pause(.milliseconds(2_000))
      hoard = []
      farm.recorder.add(.ended(fault: fault))
      try farm.submit(10)
      try farm.recoverByWork(fault)
      try farm.finish(limit: .seconds(180))
      return farm
    },
  ]
}
