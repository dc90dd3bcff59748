internal import Raster

/// What every stage of a development has in common.
///
/// A stage is a value that is set up before the first pixel, by an `init?(_: StageContext)` of its own
/// that gives nil where there is nothing to do: what asks for nothing is not in the plan, and so leaves
/// every bit as it is. Kernels are pure and synchronous, allocate nothing for a tile, and give a pixel a
/// value that depends on the picture and the settings alone, never on tile or lane.
protocol StageKernel: Sendable {
  /// The name in plans and reports (`hueSatMap`).
  static var name: String { get }
  /// Raised when a change of the stage changes pixels.
  static var version: Int { get }
  /// Whether `prepared(with:)` needs the picture's analysis.
  var readsAnalysis: Bool { get }
  /// The stage with what it takes from the whole picture; itself where it needs nothing.
  func prepared(with analysis: PictureAnalysis) throws(RasterError) -> Self
  /// Whether `prepared(with:)` needs to know where the picture is clipped.
  var readsHighlights: Bool { get }
  /// The stage with the picture's highlights, nil where nothing is clipped; itself where it needs none.
  func prepared(with highlights: Highlights?) -> Self
}

extension StageKernel {
  var readsHighlights: Bool { false }
  func prepared(with highlights: Highlights?) -> Self { self }
  static var version: Int { 1 }
  var readsAnalysis: Bool { false }
  func prepared(with analysis: PictureAnalysis) throws(RasterError) -> Self { self }
}
