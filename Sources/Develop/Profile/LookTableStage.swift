internal import RawModel

/// The profile's LookTable, in linear RIMM after exposure and black, before the tone curve.
///
/// DNG 1.7.1 chapter 6, "ProfileLookTableData": a standard-range table works on what a display shows, so
/// channels are held within 0 and 1. Version 1; see `HueSatTable`.
struct LookTableStage: PixelStage, Equatable {
  static let name = "lookTable"

  let table: HueSatTable

  init?(_ context: StageContext) throws(DevelopError) {
    guard context.settings.appliesProfile, context.camera != nil,
      let map = context.description.profile.lookTable
    else { return nil }
    table = try HueSatTable([(map: map, weight: 1)], name: "ProfileLookTableData")
    guard !table.isIdentity else { return nil }
  }

  func apply(_ row: PixelRow) {
    table.apply(row.rows, row.range, ceiling: 1)
  }
}
