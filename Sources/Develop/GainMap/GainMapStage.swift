internal import Raster
internal import RawModel

/// A GainMap of OpcodeList2: lens shading, usually one map for each photosite of the Bayer cell.
///
/// A gain is bilinear between grid points, the grid being stretched over the active area with pixel
/// centres at (x + 0.5) / width; outside the grid the edge goes on. The result is clipped to the
/// linear range, 0 to 1. DNG 1.7.1 chapter 7, "GainMap". Version 2: clipped before white balance.
struct GainMapStage: LineStage {
  static let name = "gainMap"
  static let version = 2

  let map: ResolvedGainMap

  /// - Throws: `gainMapUnusable`.
  init(_ map: GainMap, list: Int, _ context: StageContext) throws(DevelopError) {
    self.map = try ResolvedGainMap(map, list: list, size: context.geometry.activeArea.size)
  }
}
