internal import Dispatch
internal import Synchronization

/// Runs tile bodies on a fixed number of Dispatch lanes.
///
/// Exactly `laneCount` lanes of `concurrentPerform` pull tiles from one atomic counter; a lane keeps
/// its state (scratch buffers) from tile to tile. Which lane gets which tile is up to the machine, so
/// a body may depend on its tile and on shared input only: then the result is the same for any number
/// of lanes. Sums are merged by the caller in tile order.
package struct TileScheduler: Sendable {
  package let laneCount: Int

  /// - Precondition: `laneCount` is at least 1.
  package init(laneCount: Int) {
    precondition(laneCount > 0, "a scheduler needs a lane")
    self.laneCount = laneCount
  }

  /// Calls `body` once for each index below `count`, on all lanes.
  ///
  /// - Parameters:
  ///   - count: The number of tiles.
  ///   - laneState: Makes the scratch of one lane, on that lane, before its first tile.
  ///   - body: Gets the index and the lane's state.
  /// - Throws: The error of the lowest failing index that was reached. After a failure no higher
  ///   index is started, lower ones are, so that the error does not depend on timing.
  package func forEach<LaneState: ~Copyable, Failure: Error>(
    count: Int,
    laneState: () throws(Failure) -> LaneState,
    body: (Int, inout LaneState) throws(Failure) -> Void
  ) throws(Failure) {
    guard count > 0 else { return }
    let next = Atomic<Int>(0)
    let lowestFailure = Atomic<Int>(Int.max)
    let failures = FailureSlots<Failure>()
    func lane() {
      let first = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard first < count else { return }
      var index = first
      do throws(Failure) {
        var state = try laneState()
        while index < count {
          if index < lowestFailure.load(ordering: .relaxed) {
            try body(index, &state)
          }
          index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        }
      } catch {
        lowestFailure.min(index, ordering: .relaxed)
        failures.add(error, at: index)
        // Lower indices may still stand in the counter's past only: all of them were handed out.
        next.store(count, ordering: .relaxed)
      }
    }
    let lanes = min(laneCount, count)
    if lanes == 1 {
      lane()
    } else {
      // The closures run before concurrentPerform returns, so they need not escape.
      withoutActuallyEscaping(lane) { lane in
        let work = unsafe unsafeBitCast(lane, to: (@Sendable () -> Void).self)
        DispatchQueue.concurrentPerform(iterations: lanes) { _ in work() }
      }
    }
    if let failure = failures.lowest { throw failure }
  }

  /// Calls `body` once for each tile of `grid`, on all lanes; see `forEach(count:laneState:body:)`.
  package func forEachTile<LaneState: ~Copyable, Failure: Error>(
    of grid: TileGrid,
    laneState: () throws(Failure) -> LaneState,
    body: (Tile, inout LaneState) throws(Failure) -> Void
  ) throws(Failure) {
    try forEach(count: grid.count, laneState: laneState) { (index, state) throws(Failure) in
      try body(grid[index], &state)
    }
  }
}
