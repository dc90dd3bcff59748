internal import RawModel

/// The profile's HueSatMap, in linear RIMM before exposure.
///
/// Two or three maps are interpolated with the weights of the calibrations, those of the matrices.
/// Highlights that were rebuilt lie above 1 and stay there; without recovery nothing lies above 1, and
/// channels that the matrix put there are cut off. Version 1; see `HueSatTable`.
struct HueSatMapStage: PixelStage, Equatable {
  static let name = "hueSatMap"

  let table: HueSatTable
  let ceiling: Float

  init?(_ context: StageContext) throws(DevelopError) {
    let maps = context.settings.appliesProfile ? context.description.profile.hueSatMaps : []
    guard !maps.isEmpty, let camera = context.camera else { return nil }
    let weights = camera.weights(for: context.settings.white)
    // One map serves any light.
    guard maps.count == 1 || maps.count == context.description.color.calibrations.count else {
      throw .profileUnusable(
        tag: "ProfileHueSatMapData",
        reason:
          "has \(maps.count) maps for \(context.description.color.calibrations.count) matrices"
      )
    }
    let weighted =
      maps.count == 1 ? [(maps[0], 1.0)] : Array(zip(maps, weights)).filter { $0.1 > 0 }
    table = try HueSatTable(
      weighted.map { (map: $0.0, weight: $0.1) },
      name: "ProfileHueSatMapData"
    )
    guard !table.isIdentity else { return nil }
    ceiling = context.settings.isHighlightRecoveryEnabled ? .greatestFiniteMagnitude : 1
  }

  func apply(_ row: PixelRow) {
    table.apply(row.rows, row.range, ceiling: ceiling)
  }
}
