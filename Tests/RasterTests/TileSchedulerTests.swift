import Diagnostics
import Raster
import Synchronization
import Testing

@Suite struct TileSchedulerTests {
  private struct Failure: Error, Equatable {
    let index: Int
  }

  @Test(arguments: [1, 2, 3, 8, 100])
  func eachIndexRunsOnce(lanes: Int) throws {
    var plane = try Plane<Int>(width: 1, height: 57)
    try plane.withTileWriter { writer throws(Failure) in
      try TileScheduler(laneCount: lanes).forEach(count: 57, laneState: { () throws(Failure) in 0 })
      {
        (index, state: inout Int) throws(Failure) in
        state += 1
        writer.withRow(index, columns: 0..<1) { $0[0] += index + 1 }
      }
    }
    let values = (0..<57).map { y in plane.withRow(y) { $0[0] } }
    #expect(values == Array(1...57))
  }

  @Test(arguments: [1, 2, 5])
  func noMoreLanesThanAsked(lanes: Int) throws {
    let made = Atomic<Int>(0)
    TileScheduler(laneCount: lanes).forEach(
      count: 40,
      laneState: { _ = made.add(1, ordering: .relaxed) },
      body: { _, _ in }
    )
    let count = made.load(ordering: .relaxed)
    #expect(count >= 1 && count <= lanes)
  }

  @Test func noTilesNeedNoLane() {
    var isCalled = false
    TileScheduler(laneCount: 2).forEach(
      count: 0,
      laneState: { isCalled = true },
      body: { _, _ in isCalled = true }
    )
    #expect(!isCalled)
  }

  @Test(arguments: [1, 2, 4])
  func theLowestFailureIsThrown(lanes: Int) {
    for _ in 0..<50 {
      #expect(throws: Failure(index: 11)) {
        try TileScheduler(laneCount: lanes).forEach(
          count: 64,
          laneState: { () throws(Failure) in () },
          body: { (index, _: inout Void) throws(Failure) in
            if index == 11 || index == 12 || index == 40 { throw Failure(index: index) }
          }
        )
      }
    }
  }

  @Test func nothingStartsAfterAFailureOnOneLane() {
    var seen: [Int] = []
    #expect(throws: Failure(index: 2)) {
      try TileScheduler(laneCount: 1).forEach(
        count: 9,
        laneState: { () throws(Failure) in () },
        body: { (index, _: inout Void) throws(Failure) in
          seen.append(index)
          if index == 2 { throw Failure(index: index) }
        }
      )
    }
    #expect(seen == [0, 1, 2])
  }

  @Test func aLaneThatGetsNoStateFails() {
    #expect(throws: Failure(index: 0)) {
      try TileScheduler(laneCount: 1).forEach(
        count: 3,
        laneState: { () throws(Failure) -> Int in throw Failure(index: 0) },
        body: { (_, _: inout Int) throws(Failure) in }
      )
    }
  }

  @Test func tilesOfAGrid() throws {
    let grid = TileGrid(
      bounds: Region(left: 0, top: 0, width: 50, height: 31),
      tileSize: .init(width: 16, height: 8)
    )
    var plane = try Plane<UInt8>(width: 50, height: 31)
    plane.withTileWriter { writer in
      TileScheduler(laneCount: 3).forEachTile(of: grid, laneState: {}) { tile, _ in
        for y in tile.region.rows {
          writer.withRow(y, columns: tile.region.columns) { row in
            for x in row.indices { row[x] += 1 }
          }
        }
      }
    }
    for y in 0..<31 {
      plane.withRow(y) { row in
        for x in row.indices { #expect(row[x] == 1) }
      }
    }
  }

  @Test func errorHasItsSlug() {
    let error = RasterError.allocationRefused(bytes: 9, limit: 8)
    #expect(error.code == "allocationRefused")
    #expect(error.disposition == .resource)
    #expect(error.message.contains("9 bytes"))
  }
}
