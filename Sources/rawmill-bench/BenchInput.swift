internal import FileSystem
internal import Raster
internal import SampleScene

/// What benches work on: a raw file and a number of lanes.
struct BenchInput: Sendable {
  let path: FilePath
  /// The file as reports name it.
  let name: String
  let threads: Int
  /// Jobs of one run of the queue's benches.
  let jobs: Int
  /// A folder for files of the benches' own.
  let scratch: FilePath

  var scheduler: TileScheduler { TileScheduler(laneCount: threads) }

  /// The file's bytes, as a worker would read them.
  func bytes() throws -> [UInt8] {
    try path.readAll()
  }

  /// The file of the options, or else the 12-megapixel Bayer sample, which is written to `scratch` if
  /// one of the benches reads it.
  init(_ options: BenchOptions, scratch: FilePath) throws {
    threads = options.threads
    jobs = options.jobs
    self.scratch = scratch
    if let file = options.input {
      path = file
      name = "\(file.lastComponent ?? file)"
      return
    }
    let sample = SampleFile.bayerLosslessJPEG
    path = scratch.appending(FilePath(sample.name))
    name = "sample:\(sample.name)"
    guard options.benches.contains(where: \.readsRaw) else { return }
    let bytes = try sample.bytes(scheduler: TileScheduler(laneCount: threads))
    let descriptor = try FileDescriptor.open(path, .readWriteExclusively(permissions: 0o600))
    try descriptor.write(bytes)
    try descriptor.close()
  }
}
