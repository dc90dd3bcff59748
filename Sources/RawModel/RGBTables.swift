/// The colour tables of a profile (RGBTables, 52543): each weighted by a semantic mask, or for the whole
/// picture.
///
/// DNG 1.7.1 chapter 6, "RGBTables".
package struct RGBTables: Equatable, Sendable {
  /// How the tables' results are put together.
  package enum Composition: Int, Sendable {
    case weightedSum = 0
    case sequential = 1
  }

  package var composition: Composition
  /// One to twenty.
  package var tables: [RGBTable]

  package init(composition: Composition, tables: [RGBTable]) {
    self.composition = composition
    self.tables = tables
  }
}
