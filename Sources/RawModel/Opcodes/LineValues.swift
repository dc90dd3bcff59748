/// OpcodeList DeltaPerRow, DeltaPerColumn, ScalePerRow, ScalePerColumn (opcodes 10 to 13): a value for
/// each row or column of an area, added to or multiplied with its samples (0 to 1).
///
/// DNG 1.7.1 chapter 7.
package struct LineValues: Equatable, Sendable {
  package var area: OpcodeArea
  /// One for each row (or column) that the area names with its pitch.
  package var values: [Float]

  package init(area: OpcodeArea, values: [Float]) {
    self.area = area
    self.values = values
  }
}
