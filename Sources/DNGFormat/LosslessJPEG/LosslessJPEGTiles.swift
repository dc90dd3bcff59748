internal import Raster

/// The lossless JPEG strips or tiles of a raw image.
struct LosslessJPEGTiles {
  let bytes: [UInt8]
  let layout: RawImageLayout

  func decode(into writer: TileWriter<UInt16>, scheduler: TileScheduler) throws(DNGReadError) {
    throw .unsupported(.compression(.jpeg))
  }
}
