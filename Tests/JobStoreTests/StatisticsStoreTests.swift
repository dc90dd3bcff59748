import DatabaseTestSupport
import Diagnostics
import JSON
import JobModel
import JobStore
import PostgresClient
import SceneStatistics
import TestSupport
import Testing

/// Statistics in the store: their rows, and what SQL makes of them.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct StatisticsStoreTests {
  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func plane(_ name: String, _ histogram: LevelHistogram) -> JSONValue {
    let packed = PackedHistogram(histogram)
    var members: [(key: String, value: JSONValue)] = [
      ("plane", .string(name)), ("count", .init(histogram.total)), ("black", 64.5),
      ("white", 1023), ("minimum", .init(histogram.minimum ?? 0)),
      ("maximum", .init(histogram.maximum ?? 0)), ("mean", 300.25), ("standardDeviation", 12.5),
      ("meanEV", -2.0), ("clippedCount", 40), ("saturationLevel", 900), ("saturatedCount", 60),
      ("underexposedCount", 7), ("headroomEV", 0.5), ("masked", nil),
      ("noise", ["slope": 1e-4, "offset": 2e-6, "dynamicRangeEV": 9.5]),
      ("declaredNoise", ["slope": 2e-4, "offset": 3e-6]),
      (
        "exposure",
        [
          "counts": .array((0..<48).map { .init($0) }), "clipped": 40, "deeper": 1,
          "notPositive": 2,
        ]
      ),
      ("bins", [1, 2, 3]),
      (
        "histogram",
        .object(omittingAbsent: [
          "firstLevel": .init(packed.firstLevel), "levelCount": .init(packed.levelCount),
          "occupied": packed.occupied.map { .string(hexadecimal($0)) },
          "counts": .string(hexadecimal(packed.counts)),
        ])
      ),
    ]
    for name in [
      "p0_01", "p0_1", "p1", "p5", "p25", "p50", "p75", "p95", "p99", "p99_9", "p99_99",
    ] {
      members.append((name, 100))
    }
    return .object(members)
  }

  private static func rows(
    _ planes: [(String, LevelHistogram)],
    table: [UInt16]? = nil,
    iso: Int? = 100,
    date: String = "2024:05:06 07:08:09",
    fNumber: Int = 4
  ) -> JSONValue {
    [
      "camera": [
        "make": "Maker", "model": "One", "isoSpeed": iso.map { .init($0) } ?? .null,
        "dateTimeOriginal": .string(date),
      ],
      "exposureTimeSeconds": 0.01, "fNumber": .init(fNumber), "focalLengthMillimetres": nil,
      "layout": "rggb",
      "bitsPerSample": 14, "sampleFormat": "unsignedInteger", "levelsPerUnit": 1,
      "area": ["left": 1, "top": 2, "width": 30, "height": 40], "limitingPlane": "red",
      "headroomEV": 0.5, "greenRatio": 1.01, "greenLocalDifference": nil,
      "greyWorldNeutral": [0.5, 1, 0.25], "whitePatchNeutral": nil, "asShotNeutral": nil,
      "linearizationTable": table.map {
        .string(hexadecimal($0.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }))
      } ?? .null,
      "planes": .array(planes.map { plane($0.0, $0.1) }),
    ]
  }

  private static func random(_ seed: UInt64, levels: Int, gap: Int = 1) -> LevelHistogram {
    var generator = SeededGenerator(seed: seed)
    return LevelHistogram(
      counts: (0..<levels).map { level in
        level % gap == 0 ? UInt32.random(in: 0...(seed == 3 ? .max : 500), using: &generator) : 0
      }
    )
  }

  /// Completes the jobs of a new batch with statistics, one after the other.
  private func complete(
    _ fixture: Fixture,
    _ rows: [JSONValue]
  ) throws -> (batch: BatchID, jobs: [ClaimedJob]) {
    let batch = try fixture.submit(1...rows.count)
    let jobs = try fixture.store.claim(fixture.worker(), count: rows.count)
    for (job, rows) in zip(jobs, rows) {
      var report = Fixture.report(job)
      report.statistics = [StatisticsRecord(outputID: "statistics", rows: rows)]
      #expect(try fixture.store.complete([report]) == [job.id])
    }
    return (batch, jobs)
  }

  private func levels(_ sql: String, _ fixture: Fixture) throws -> [Int: Int] {
    var levels: [Int: Int] = [:]
    let result = try fixture.database.connection().queryOnce(sql, named: "test")
    for index in 0..<result.rowCount {
      levels[try result[index].int(0)] = try result[index].int(1)
    }
    return levels
  }

  private func dictionary(_ histogram: LevelHistogram) -> [Int: Int] {
    var levels: [Int: Int] = [:]
    for (index, count) in histogram.counts.enumerated() where count > 0 {
      levels[histogram.firstLevel + index] = Int(count)
    }
    return levels
  }

  @Test(arguments: [(1, 700, 1), (2, 3_000, 8), (3, 130, 1), (4, 64, 1), (5, 1, 1), (6, 65_536, 1)])
  func sqlTakesAHistogramApart(seed: UInt64, levels count: Int, gap: Int) throws {
    let fixture = try Fixture()
    let histogram = Self.random(seed, levels: count, gap: gap)
    _ = try complete(fixture, [Self.rows([("red", histogram)])])
    let found = try levels(
      """
      SELECT l.level, l.samples FROM plane_histogram h,
        histogram_levels(h.first_level, h.level_count, h.occupied, h.counts) AS l
      """,
      fixture
    )
    #expect(found == dictionary(histogram))
  }

  @Test func batchesAreAddedUp() throws {
    let fixture = try Fixture()
    let first = Self.random(7, levels: 900)
    let second = Self.random(8, levels: 400)
    // A table that squeezes, and one that ends before the codes do.
    let tables: [[UInt16]] = [(0..<1024).map { UInt16($0 / 3) }, [0, 10, 20, 30]]
    let (batch, jobs) = try complete(
      fixture,
      [
        Self.rows([("red", first), ("blue", second)], table: tables[0]),
        Self.rows([("red", second)], table: tables[1]),
        Self.rows([("red", first)]),
      ]
    )
    let id = batch.rawValue
    var wanted = dictionary(first).mapValues { 2 * $0 }
    wanted.merge(dictionary(second), uniquingKeysWith: +)
    #expect(
      try levels(
        "SELECT level, samples FROM batch_histogram(\(id)) WHERE plane = 'red'",
        fixture
      ) == wanted
    )
    var linear = dictionary(first.mapped(through: tables[0]))
    linear.merge(dictionary(second.mapped(through: tables[1])), uniquingKeysWith: +)
    linear.merge(dictionary(first), uniquingKeysWith: +)
    let sums = try fixture.store.histogram(of: batch)
    #expect(sums.map(\.plane) == ["red", "blue"] && sums.map(\.photos) == [3, 1])
    #expect(
      Dictionary(sums[0].levels.map { ($0.level, $0.samples) }, uniquingKeysWith: +) == linear
    )
    #expect(sums[0].counts.reduce(0, +) == sums[0].samples && sums[0].clipped == 120)
    #expect(sums[0].exposure == (0..<48).map { 3 * $0 })
    // Each table once.
    #expect(try fixture.number("SELECT count(*) FROM linearization") == 2)
    // Bins from black to white, of the levels behind the table.
    let plane = first.mapped(through: tables[0])
    var bins = [Int](repeating: 0, count: 10)
    for (level, samples) in dictionary(plane) {
      let place = ((Double(level) - 64.5) / (1023 - 64.5) * 10).rounded(.down)
      bins[Int(min(max(place, 0), 9))] += samples
    }
    let found = try fixture.database.connection().queryOnce(
      "SELECT plane_bins(\(jobs[0].id.rawValue), 'statistics', 'red', 10)",
      named: "test"
    )
    #expect(try found[0].int64Array(0).map { Int($0) } == bins)
  }

  @Test func onlyTheAttemptThatCountsIsRecorded() throws {
    let fixture = try Fixture()
    let histogram = Self.random(9, levels: 50)
    let (_, jobs) = try complete(fixture, [Self.rows([("red", histogram)])])
    // Somebody without the lease changes nothing.
    var stale = Fixture.report(jobs[0])
    stale.lease = Lease(
      job: jobs[0].id,
      attempt: jobs[0].lease.attempt,
      token: LeaseToken(high: 1, low: 2)
    )
    stale.statistics = [
      StatisticsRecord(outputID: "statistics", rows: Self.rows([("red", histogram)]))
    ]
    #expect(try fixture.store.complete([stale]) == [])
    #expect(try fixture.number("SELECT count(*) FROM photo_statistics") == 1)
    // The same report again, after an answer that was lost: once.
    var again = Fixture.report(jobs[0])
    again.statistics = stale.statistics
    #expect(try fixture.store.complete([again]) == [jobs[0].id])
    #expect(try fixture.number("SELECT count(*) FROM plane_statistics") == 1)
    // Done again, by another batch: the new row takes the place of the old.
    let batch = try fixture.store.createBatch(Fixture.batch())
    _ = try fixture.store.enqueue([Fixture.job(1, redo: true)], into: batch)
    let job = try #require(try fixture.store.claim(fixture.worker(), count: 1).first)
    #expect(job.lease.attempt == 2)
    var report = Fixture.report(job)
    report.statistics = [
      StatisticsRecord(outputID: "statistics", rows: Self.rows([("red", histogram)], iso: 800))
    ]
    #expect(try fixture.store.complete([report]) == [job.id])
    #expect(
      try fixture.number(
        "SELECT sum(iso) FROM photo_statistics WHERE attempt = 2 AND batch_id = \(batch.rawValue)"
      ) == 800
    )
    for table in ["photo_statistics", "plane_statistics", "plane_histogram"] {
      #expect(try fixture.number("SELECT count(*) FROM \(table)") == 1, "\(table)")
    }
  }

  /// What a file does not say is nothing, not a number; a lens without contacts writes 0.
  @Test func whatIsUnknownIsNull() throws {
    let fixture = try Fixture()
    let histogram = Self.random(11, levels: 50)
    let planes = [("green", histogram)]
    _ = try complete(
      fixture,
      [Self.rows(planes, iso: nil), Self.rows(planes, iso: 0, fNumber: 0), Self.rows(planes)]
    )
    let isos = "SELECT count(*) FROM photo_statistics WHERE iso"
    #expect(try fixture.number("\(isos) IS NULL") == 2)
    #expect(try fixture.number("\(isos) = 100") == 1)
    let values = "SELECT count(*) FROM exposure_drift WHERE exposure_value"
    #expect(try fixture.number("\(values) IS NULL") == 2)
    #expect(try fixture.number("\(values) BETWEEN 10.6 AND 10.7") == 1)
  }

  /// A report's picture needs no more than some photos: the first, and each so many after it.
  @Test func levelsOfSomePhotosAreSpreadOverTheBatch() throws {
    let fixture = try Fixture()
    // Each photo has a level of its own, its place in the batch.
    let rows = (0..<7).map { number in
      Self.rows([
        ("red", LevelHistogram(counts: (0..<7).map { $0 == number ? 1 : 0 }))
      ])
    }
    let (batch, _) = try complete(fixture, rows)
    func levels(_ most: Int?) throws -> [Int] {
      try fixture.store.histogram(of: batch, maximumPhotos: most)[0].levels.map(\.level)
    }
    #expect(try levels(3) == [0, 3, 6])
    #expect(try levels(1) == [0])
    #expect(try levels(7) == Array(0..<7) && levels(nil) == Array(0..<7))
    #expect(try fixture.store.histogram(of: batch, maximumPhotos: 1)[0].photos == 7)
  }

  @Test func valuesArriveAsTheyAre() throws {
    let fixture = try Fixture()
    let histogram = Self.random(10, levels: 50)
    _ = try complete(fixture, [Self.rows([("gray", histogram)], date: "0000:00:00 00:00:00")])
    let row = try fixture.database.connection().queryOnce(
      """
      SELECT camera = 'Maker One' AND captured_at IS NULL AND focal_length IS NULL
          AND grey_world_neutral = '{0.5,1,0.25}' AND white_patch_neutral IS NULL
          AND area_width = 30 AND exposure_time = 0.01 AND green_local_difference IS NULL
          AND input_path = 'day1/1.dng' AND path = 'day1/1.dng' AND display_folder(path) = 'day1',
        s.black = 64.5 AND s.noise_slope = 1e-4 AND s.declared_noise_offset = 3e-6
          AND s.masked_mean IS NULL AND s.ev_counts[48] = 47 AND s.saturated = 60
          AND s.mean_ev = -2 AND h.bins = '{1,2,3}'
      FROM photo_statistics JOIN plane_statistics s USING (job_id)
      JOIN plane_histogram h USING (job_id)
      """,
      named: "test"
    )[0]
    #expect(try row.bool(0) && row.bool(1))
  }

  @Test func viewsAnswerTheUsualQuestions() throws {
    let fixture = try Fixture()
    let histogram = LevelHistogram(counts: [UInt32](repeating: 2, count: 1_000))
    let dates = (0..<5).map { "2024:05:06 07:0\($0):00" }
    let (batch, _) = try complete(
      fixture,
      dates.map { Self.rows([("red", histogram), ("green1", histogram)], date: $0) }
    )
    let connection = try fixture.database.connection()
    let clipping = try connection.queryOnce(
      "SELECT photos, clipped_photos, worst_clipped FROM clipping_per_shoot",
      named: "test"
    )
    // 60 of 2,000 samples are at the level where they pile up.
    #expect(clipping.rowCount == 1)
    #expect(try clipping[0].int(0) == 5)
    #expect(try clipping[0].int(1) == 5 && clipping[0].double(2) == 0.03)
    let drift = try connection.queryOnce(
      """
      SELECT count(*), count(step_ev), bool_and(drift_ev = 0), min(exposure_value)
      FROM exposure_drift WHERE batch_id = \(batch.rawValue)
      """,
      named: "test"
    )[0]
    #expect(try drift.int(0) == 5 && drift.int(1) == 4 && drift.bool(2))
    // log2(16 / 0.01).
    #expect(abs(try drift.double(3) - 10.643856189774725) < 1e-12)
    let noise = try connection.queryOnce(
      "SELECT photos, noise_slope, declared_noise_slope FROM iso_noise WHERE plane = 'red'",
      named: "test"
    )[0]
    #expect(try noise.int(0) == 5 && noise.double(1) == 1e-4 && noise.double(2) == 2e-4)
    let white = try connection.queryOnce(
      "SELECT saturation_level, excess FROM wrong_white_level WHERE plane = 'red'",
      named: "test"
    )[0]
    #expect(try white.int(0) == 900 && abs(white.double(1) - 123 / 958.5) < 1e-12)
  }

  /// What a recipe with areaHistogram counted, and its sum over a batch.
  @Test func scenesOfABatchAreAdded() throws {
    let fixture = try Fixture()
    let histogram = Self.random(12, levels: 50)
    func rows(_ red: [Int], space: String = "rec2020") -> JSONValue {
      guard case .object(var members) = Self.rows([("red", histogram)]) else { return .null }
      let channels: [JSONValue] = [("red", red), ("luminance", [5, 6, 7])].map { name, bins in
        [
          "channel": .string(name), "minimum": -0.5, "maximum": 2, "mean": 0.25, "belowCount": 3,
          "aboveCount": 4, "bins": .array(bins.map { .init($0) }),
        ]
      }
      members.append(
        (
          "areaHistogram",
          [
            "colorSpace": .string(space), "exposureEV": 0.5, "pixels": 18, "scale": 2,
            "channels": .array(channels),
          ]
        )
      )
      return .object(members)
    }
    let (batch, _) = try complete(
      fixture,
      [rows([1, 2, 3]), rows([10, 20, 30]), rows([7, 7, 7], space: "displayP3"), Self.rows([])]
    )
    #expect(try fixture.number("SELECT count(*) FROM scene_histogram") == 6)
    let sum = try fixture.database.connection().queryOnce(
      """
      SELECT string_agg(pixels::text, ' ' ORDER BY bin) FROM batch_scene_histogram(\(batch.rawValue))
      WHERE color_space = 'rec2020' GROUP BY channel ORDER BY channel
      """,
      named: "test"
    )
    #expect(
      try sum.map { (row) throws(PostgresError) in try row.text(0) } == ["10 12 14", "11 22 33"]
    )
    // A photo's rows are joined by the same key as the others.
    #expect(
      try fixture.number(
        """
        SELECT count(*) FROM scene_histogram h
        JOIN photo_statistics p USING (job_id, output_id, measured_at)
        WHERE h.batch_id = p.batch_id AND exposure_ev = 0.5 AND pixels = 18 AND scale = 2
          AND minimum = -0.5 AND maximum = 2 AND mean = 0.25 AND below = 3 AND above = 4
        """
      ) == 6
    )
  }

  @Test func everyColumnIsDescribed() throws {
    let fixture = try Fixture()
    #expect(
      try fixture.number(
        """
        SELECT count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0
          AND c.relname IN ('photo_statistics', 'plane_statistics', 'plane_histogram',
            'scene_histogram', 'linearization', 'clipping_per_shoot', 'exposure_drift', 'iso_noise',
            'wrong_white_level')
          AND col_description(c.oid, a.attnum) IS NULL
        """
      ) == 0
    )
  }

  @Test func exportsAreTables() throws {
    let fixture = try Fixture()
    let histogram = Self.random(11, levels: 50)
    var rows = Self.rows([("red", histogram), ("blue", histogram)])
    // Quotes, commas and backslashes of a name survive both forms.
    rows = rows.setting("layout", .string("r\\g \"x\", ä"))
    let (batch, jobs) = try complete(fixture, [rows, rows])
    func export(_ format: JobStore.StatisticsFormat) throws -> String {
      var bytes: [UInt8] = []
      try fixture.store.exportStatistics(of: batch, as: format) {
        bytes += $0
        return true
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    let csv = try export(.csv).split(separator: "\n")
    #expect(csv.count == 5 && csv[0].hasPrefix("batch_id,job_id,output_id,input_root,path,"))
    #expect(csv[1].contains(",\"r\\g \"\"x\"\", ä\","))
    let lines = try export(.jsonl).split(separator: "\n")
    #expect(lines.count == 4)
    let objects = try lines.map { try JSONParser.parse(Array($0.utf8)) }
    #expect(objects.map { $0["plane"] } == ["blue", "red", "blue", "red"])
    #expect(objects[0]["job_id"] == .init(jobs[0].id.rawValue))
    #expect(objects[3]["layout"] == "r\\g \"x\", ä" && objects[3]["noise_slope"] == 1e-4)
    // The session is of use afterwards.
    #expect(try fixture.store.batch(batch).total == 2)
  }
}
