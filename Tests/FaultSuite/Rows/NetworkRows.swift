internal import FaultHistory
internal import FileSystem
internal import PostgresClient

extension FaultRow {
  /// What may be wrong with the way to the server.
  private static func weathers(_ isLong: Bool) -> [(
    name: String, weather: Proxy.Weather, seconds: Int, resets: Bool
  )] {
    var list: [(String, Proxy.Weather, Int, Bool)] = [
      (
        "black hole past the lease, then reset",
        .init(holdsToServer: true, holdsToClient: true, refuses: true), 6, true
      ),
      ("nothing to the server past the lease", .init(holdsToServer: true), 5, false),
      ("nothing to the worker past the lease", .init(holdsToClient: true), 5, false),
      ("30 % of the pieces late", .init(lossPercent: 30), 4, false),
      ("connections refused", .init(refuses: true), 2, true),
    ]
    if isLong {
      list += [
        (
          "black hole past the lease, then healed", .init(holdsToServer: true, holdsToClient: true),
          8, false
        ),
        ("black hole within the lease", .init(holdsToServer: true, holdsToClient: true), 1, false),
        ("60 % of the pieces late", .init(lossPercent: 60, delayMilliseconds: 400), 10, false),
        ("nothing to the worker, then reset", .init(holdsToClient: true), 6, true),
      ]
    }
    return list
  }

  static let networkRows = [
    FaultRow(
      number: 8,
      name: "network",
      summary: "half-open, asymmetric and lossy ways to the server, refusals, resets"
    ) { bench in
      let farm = try Farm(bench, "network")
      let proxy = try Proxy(to: farm.server.port)
      proxy.start()
      defer { proxy.stop() }
      farm.workerURL = "postgresql://rawmill@127.0.0.1:\(proxy.port)/\(farm.database)"
      let cut = try farm.startWorker("cut", slots: 2, host: "cut")
      farm.workerURL = nil
      try farm.startWorker("whole", host: "whole")
      for (name, weather, seconds, resets) in weathers(bench.isLong) {
        try farm.submit(bench.isLong ? 80 : 30)
        Wait.pause(.milliseconds(300))
        let fault = farm.recorder.inject("network", name)
        let tokens = try farm.leaseTokens()
        proxy.set(weather)
        if weather.refuses { proxy.reset() }
        Wait.pause(.seconds(seconds))
        proxy.set(Proxy.Weather())
        if resets { proxy.reset() }
        farm.recorder.add(.ended(fault: fault))
        try farm.recover(fault, from: tokens)
        // The cut worker takes part again.
        let before = try farm.number("SELECT max(id) FROM worker")
        _ = before
        guard cut.isRunning else { throw SuiteError.broken("a cut network ended the worker") }
      }
      try farm.finish(limit: .seconds(120))
      return farm
    }
  ]
}
