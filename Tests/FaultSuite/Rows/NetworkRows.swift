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
        guard cut.isRunning else { throw SuiteError.broken("a cut network ended the worker") }
      }
      try farm.finish(limit: .seconds(120))
      return farm
    },
    FaultRow(
      number: 8,
      name: "cable",
      summary: "the cable of a worker's network namespace pulled past the lease, and for a moment"
    ) { bench in
      let networks = try NetworkNamespaces(3)
      let server = try Server.create(
        bench.folder.appending(FilePath("cabled\(bench.serial.next())")),
        host: networks.address(0),
        prefix: networks.prefix(0)
      )
      let farm = try Farm(bench, "cable", server: server)
      let cut = try farm.startWorker("cut", slots: 2, host: "cut", prefix: networks.prefix(1))
      try farm.startWorker("whole", host: "whole", prefix: networks.prefix(2))
      for (name, milliseconds) in [("past the lease", 7_000), ("within the lease", 700)] {
        try farm.submit(bench.isLong ? 100 : 30)
        Wait.pause(.milliseconds(400))
        let fault = farm.recorder.inject("cable", name)
        let tokens = try farm.leaseTokens()
        try networks.setLink(1, up: false)
        Wait.pause(.milliseconds(milliseconds))
        try networks.setLink(1, up: true)
        farm.recorder.add(.ended(fault: fault))
        try farm.recover(fault, from: tokens)
        guard cut.isRunning else { throw SuiteError.broken("a pulled cable ended the worker") }
      }
      try farm.finish(limit: .seconds(120))
      try farm.stopWorkers()
      // The namespaces go with this row: so does the server, when everything was looked at.
      farm.networks = networks
      return farm
    },
  ]
}
