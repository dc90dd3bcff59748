internal import Digest
internal import FaultHistory
internal import FileSystem
internal import Glibc
internal import PostgresClient

extension FaultRow {
  /// Disks, shares, and what lies on them.
  static let fileRows = [
    FaultRow(
      number: 10,
      name: "share",
      summary:
        "NFS: renameat2 says EINVAL, link succeeds and reports failure, ESTALE; EIO of each call"
    ) { bench in
      let farm = try Farm(bench, "share")
      let worker = try farm.startWorker("w", slots: 2)
      try farm.startWorker("other")
      // As an NFS mount: never renameat2 with a flag, and each second link's answer is lost.
      for (kind, places) in [
        ("nfs", [("worker.renameat2.before", "EINVAL always")]),
        (
          "nfsLie",
          [("worker.renameat2.before", "EINVAL always"), ("worker.link.before", "lie always")]
        ),
        ("renameLie", [("worker.renameat2.before", "lie always")]),
      ] {
        let fault = farm.recorder.inject(kind, "\(places.map(\.0))")
        for (place, action) in places { try worker.arm(place, action) }
        try farm.submit(bench.isLong ? 80 : 16)
        try farm.recoverByWork(fault)
        try farm.finish(byHand: true)
        try worker.disarmAll()
      }
      for error in ["EIO", "ESTALE", "ENOSPC", "EROFS"] {
        for call in [
          "worker.open", "worker.fsync", "worker.renameat2", "child.pread", "child.pwrite",
        ] {
          let place = "\(call).before"
          let fault = farm.recorder.inject(error, place)
          try worker.arm(place, error)
          try farm.submit(4)
          try Wait.until("\(error) at \(place)", limit: .seconds(60)) {
            if try !worker.isArmed(place) { return true }
            if try farm.number("SELECT count(*) FROM job WHERE ready") == 0 { try farm.submit(4) }
            return false
          }
          farm.recorder.add(.ended(fault: fault))
          try farm.recoverByHand(fault)
        }
      }
      try farm.finish(limit: .seconds(120), byHand: true)
      return farm
    },
    FaultRow(
      number: 10,
      name: "disk",
      summary: "the outputs' disk full, then mounted read-only; PostgreSQL's disk full"
    ) { bench in
      let number = bench.serial.next()
      let volume = bench.folder.appending(FilePath("volume\(number)"))
      try bench.mountMemory(volume, size: "160m")
      let server = try Server.create(
        volume.appending("server"),
        settings: "max_wal_size = '16MB'\nmin_wal_size = '4MB'",
        smallSegments: true
      )
      server.volume = volume
      let farm = try Farm(bench, "disk", server: server)
      try bench.mountMemory(farm.output, size: "8m")
      farm.unmounting = farm.output
      for index in 0..<2 { try farm.startWorker("w\(index)") }
      try farm.submit(20)
      try farm.finish(byHand: true)
      // The outputs' disk.
      let full = farm.recorder.inject("diskFull", "outputs")
      let filler = try fill(farm.output.appending(".filler"))
      try farm.submit(20)
      try Wait.until("failures of a full disk", limit: .seconds(60)) {
        try farm.number("SELECT count(*) FROM attempt WHERE class IN (3, 4)") > 0
      }
      try filler.removeFile()
      farm.recorder.add(.ended(fault: full))
      try farm.recoverByHand(full)
      try farm.finish(byHand: true)
      let readOnly = farm.recorder.inject("readOnly", "outputs")
      try Shell.require("/usr/bin/env", ["mount", "-o", "remount,ro", farm.output.displayText])
      try farm.submit(20)
      try Wait.until("failures of a read-only disk", limit: .seconds(60)) {
        try farm.number("SELECT count(*) FROM attempt WHERE code = 'readOnlyFileSystem'") > 0
      }
      try Shell.require("/usr/bin/env", ["mount", "-o", "remount,rw", farm.output.displayText])
      farm.recorder.add(.ended(fault: readOnly))
      try farm.recoverByHand(readOnly)
      try farm.finish(byHand: true)
      // The server's disk: PostgreSQL may stop altogether until there is room.
      try farm.submit(60)
      let wal = farm.recorder.inject("diskFull", "PostgreSQL's volume")
      let other = try fill(volume.appending("filler"))
      Wait.pause(.seconds(4))
      try other.removeFile()
      // Whatever state the full disk has left it in, a person starts it anew.
      try? server.stop("immediate")
      try Wait.until("the server's return", limit: .seconds(60)) { (try? server.start()) != nil }
      farm.recorder.add(.ended(fault: wal))
      try farm.recoverByWork(wal)
      try farm.finish(limit: .seconds(120), byHand: true)
      return farm
    },
    FaultRow(
      number: 11,
      name: "damage",
      summary:
        "inputs cut short, bits turned over, emptied, changed after submission; an output's bits turned over"
    ) { bench in
      let farm = try Farm(bench, "damage")
      var dice = Schedule(seed: bench.seed)
      let good = bench.picture
      let cut = try farm.makeInputs(
        3,
        prefix: "cut",
        expected: .failed(Self.damaged),
        bytes: Array(good.prefix(good.count / 2))
      )
      var turned = good
      // In the compressed samples, which end the file or stand before its last part.
      for _ in 0..<8 { turned[good.count - 200 - Int(dice.next() % 500)] ^= 0x55 }
      let flipped = try farm.makeInputs(
        3,
        prefix: "flipped",
        expected: .failed(Self.damaged),
        bytes: turned
      )
      let changed = try farm.makeInputs(3, prefix: "changed", expected: .failed(["inputChanged"]))
      let whole = try farm.makeInputs(8)
      let taken = try farm.makeInputs(1, prefix: "taken", expected: .failed(["outputExists"]))
      _ = farm.recorder.inject(
        "damage",
        "inputs cut short and with bits turned over",
        recovers: false
      )
      try farm.submit(cut, flipped, changed, whole, taken)
      for day in try changed.directoryEntries() {
        let folder = changed.appending(day.name)
        for file in try folder.directoryEntries() {
          try Farm.write(good + [0], to: folder.appending(file.name))
        }
      }
      // A stranger's file has the name of an output.
      let stranger = Array("mine".utf8)
      let planned = try farm.connection().queryOnce(
        "SELECT output_paths[1] FROM job WHERE convert_from(input_path, 'UTF8') LIKE '%taken%'",
        named: "suite"
      )
      let path = FilePath("/").appending(FilePath(bytes: try planned[0].bytes(0)))
      try Farm.write(stranger, to: path)
      farm.recorder.add(
        .foreign(path: farm.relative(path.displayText), sha256: SHA256.digest(of: stranger).hex)
      )
      for index in 0..<2 { try farm.startWorker("w\(index)") }
      try farm.finish()
      return farm
    },
  ]

  /// Codes of inputs that can't be read.
  static let damaged = [
    "byteCountBeyondFile", "entropyInvalidCode", "entropyExhausted", "entropySurplus",
    "sampleOutOfRange", "rawDigestMismatch",
  ]

  /// Writes a file until the disk is full.
  private static func fill(_ path: FilePath) throws -> FilePath {
    let file = try FileDescriptor.open(path, .readWriteExclusively(permissions: 0o644))
    var offset: Int64 = 0
    for size in [1 << 20, 1 << 12, 1] {
      let block = [UInt8](repeating: 0x5A, count: size)
      while (try? file.write(block, at: offset)) != nil { offset += Int64(size) }
    }
    return path
  }
}
