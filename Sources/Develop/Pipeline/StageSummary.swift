package import RawModel

/// One stage of a plan, as it is shown.
package struct StageSummary: Equatable, Sendable {
  /// What a stage works on, and so how it runs.
  package enum Kind: String, Sendable {
    /// Stored samples of the whole frame, in a pass of its own.
    case frame
    /// Single linear samples, fused into rows.
    case line
    /// A mosaic's neighbours, in tiles with a halo.
    case mosaic
    /// Single pixels, fused into rows.
    case pixel
    /// Pixels' neighbours, in tiles with a halo.
    case region
    /// The whole picture, in a pass of its own.
    case picture
  }

  package var name: String
  package var version: Int
  package var kind: Kind
  /// Rows and columns around a tile that it reads.
  package var halo: Int
  /// What it keeps in memory while it runs: of one lane, or for the whole picture.
  package var scratchByteCount: Int
  /// Whether it reads the whole picture before the first tile.
  package var readsWholePicture: Bool
}

extension Developer {
  /// The stages of a development that do something, in their order.
  ///
  /// - Throws: What of the raw cannot be developed.
  package static func stages(
    of description: RawDescription,
    settings: DevelopSettings
  ) throws(DevelopError) -> [StageSummary] {
    try DevelopPlan(description, settings: settings).summary
  }
}
