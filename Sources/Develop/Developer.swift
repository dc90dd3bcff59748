package import Raster
package import RawModel

/// Develops raws: the stages of `DevelopStage` in their order, tile by tile.
package enum Developer {
  /// Develops a raw with resolved settings.
  ///
  /// The bytes of the result depend on the raw and the settings alone: not on the scheduler's lanes,
  /// not on `tileSize`.
  ///
  /// - Parameters:
  ///   - depths: Which planes of the picture are made.
  ///   - tileSize: Overrides the size of the tiles.
  package static func develop(
    _ frame: borrowing RawFrame,
    settings: DevelopSettings,
    depths: Set<PictureDepth>,
    scheduler: TileScheduler,
    tileSize: PixelSize? = nil
  ) throws(DevelopError) -> DevelopedPicture {
    throw .layoutUnsupported(planes: frame.description.layout.samplesPerPixel)
  }
}
