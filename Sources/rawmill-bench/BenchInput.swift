internal import FileSystem
internal import Raster
internal import SampleScene

/// What benches work on: a raw file and a number of lanes.
struct BenchInput: Sendable {
  let path: FilePath
  /// The file as reports name it.
  let name: String
  let threads: Int
  /// A folder for files of the benches' own.
  let scratch: FilePath

  var scheduler: TileScheduler { TileScheduler(laneCount: threads) }

  /// The file's bytes, as a worker would read them.
  func bytes() throws -> [UInt8] {
    try path.readAll()
  }

  /// The given file, or else the 12-megapixel Bayer sample, written to `scratch`.
  init(file: FilePath?, threads: Int, scratch: FilePath) throws {
    self.threads = threads
    self.scratch = scratch
    if let file {
      path = file
      name = "\(file.lastComponent ?? file)"
      return
    }
    let sample = SampleFile.bayerLosslessJPEG
    path = scratch.appending(FilePath(sample.name))
    name = "sample:\(sample.name)"
    let bytes = try sample.bytes(scheduler: TileScheduler(laneCount: threads))
    let descriptor = try FileDescriptor.open(path, .readWriteExclusively(permissions: 0o600))
    try descriptor.write(bytes)
    try descriptor.close()
  }
}
