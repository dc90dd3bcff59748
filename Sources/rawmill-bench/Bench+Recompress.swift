internal import DNGFormat
internal import Digest
internal import FileSystem
internal import Raster
internal import RawModel

extension Bench {
  /// Re-compression with proof: the written file is read back and decoded afresh.
  static let dngRecompress = recompress(
    name: "dng.recompress",
    summary: "read a DNG, code its samples anew, write it, read it back and compare all samples",
    digestsFiles: false
  )

  /// The same with the digests that a job records.
  static let dngRecompressDigests = recompress(
    name: "dng.recompress.digests",
    summary: "the same with SHA-256 of both files",
    digestsFiles: true
  )

  private static func recompress(name: String, summary: String, digestsFiles: Bool) -> Bench {
    Bench(name: name, summary: summary) { input in
      let frame = try DNGReader.read(input.bytes(), scheduler: input.scheduler)
      let output = input.scratch.appending("recompressed.dng")
      return Prepared(megapixels: frame.description.size.megapixels) {
        let bytes = try input.bytes()
        if digestsFiles { _ = SHA256.digest(of: bytes) }
        let frame = try DNGReader.read(bytes, scheduler: input.scheduler)
        let copy = try DNGWriter.write(
          frame,
          keeping: DNGOriginal(bytes),
          settings: DNGOutputSettings(software: "rawmill-bench"),
          scheduler: input.scheduler
        )
        try replace(output, with: copy)
        let writtenBytes = try output.readAll()
        if digestsFiles { _ = SHA256.digest(of: writtenBytes) }
        let written = try DNGReader.read(writtenBytes, scheduler: input.scheduler)
        guard samplesAreEqual(frame, written) else {
          throw BenchError.input("\(name): the written file has other samples")
        }
      }
    }
  }

  private static func replace(_ path: FilePath, with copy: DNGOutput) throws {
    let file = try FileDescriptor.open(path, .readWriteCreating(permissions: 0o600))
    try file.truncate(to: 0)
    for (offset, bytes) in copy.parts { try file.write(bytes, at: Int64(offset)) }
    try file.close()
  }

  private static func samplesAreEqual(
    _ first: borrowing RawFrame,
    _ second: borrowing RawFrame
  ) -> Bool {
    switch first.samples {
    case .uint16(let first):
      switch second.samples {
      case .uint16(let second): planesAreEqual(first, second)
      default: false
      }
    default: false
    }
  }

  private static func planesAreEqual(
    _ first: borrowing Plane<UInt16>,
    _ second: borrowing Plane<UInt16>
  ) -> Bool {
    guard first.width == second.width, first.height == second.height else { return false }
    for y in 0..<first.height {
      let isEqual = first.withRow(y) { a in second.withRow(y) { b in rowsAreEqual(a, b) } }
      guard isEqual else { return false }
    }
    return true
  }
}

/// Whether two rows of one length have the same samples; a function of its own, because the loop is
/// vectorised here and not in a closure.
private func rowsAreEqual(_ a: Span<UInt16>, _ b: Span<UInt16>) -> Bool {
  var differing: UInt16 = 0
  for index in a.indices { differing |= a[index] ^ b[index] }
  return differing == 0
}
