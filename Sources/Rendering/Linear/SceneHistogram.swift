internal import ColorScience
internal import Develop
internal import JSON
internal import Raster
internal import RawModel
internal import Recipe
internal import SceneStatistics

/// Histograms of the linear scene that a recipe develops: of the very values that a `linear` output of level
/// `scene` has in the same space.
enum SceneHistogram {
  /// - Parameters:
  ///   - frame: The raw, with the profile that pictures are developed by.
  ///   - settings: How many bins, and their scale.
  ///   - space: The colours that are counted.
  ///   - development: The recipe's, for this raw.
  ///   - scheduler: The lanes; the numbers do not depend on it.
  /// - Returns: The member of the document and of the rows.
  /// - Throws: `develop`.
  static func count(
    _ frame: borrowing RawFrame,
    _ settings: OutputSpecification.StatisticsSettings,
    in space: OutputSpecification.LinearSettings.Space,
    _ development: DevelopSettings,
    scheduler: TileScheduler
  ) throws(RenderError) -> JSONValue {
    let linear = space.space ?? .rgb(.rec2020)
    let scene: LinearDevelopment
    do throws(DevelopError) {
      scene = try LinearDevelopment(
        frame.description,
        settings: development,
        level: .scene(linear)
      )
    } catch {
      throw .develop(error)
    }
    var histogram = AreaHistogram(
      count: settings.areaHistogramCount,
      scale: settings.areaHistogramScale,
      luminance: linear.luminance
    )
    try LinearOutputs.bands(of: frame, scene, scheduler) { (band, rows) throws(RenderError) in
      histogram.add(band, rowCount: rows.count)
    }
    return .object(
      [
        ("colorSpace", .string(space.rawValue)), ("exposureEV", .init(development.exposureEV)),
        ("width", .init(scene.size.width)), ("height", .init(scene.size.height)),
      ] + histogram.json
    )
  }
}

extension LinearSpace {
  /// The Y of red, green and blue of 1; the white's is 1.
  fileprivate var luminance: (red: Double, green: Double, blue: Double) {
    guard case .rgb(let space) = self else { return (0, 1, 0) }
    let row = space.toXYZ.rows[1]
    return (row.x, row.y, row.z)
  }
}
