/// OpcodeList MapTable (opcode 7): samples through a table; the last entry goes on for higher ones.
///
/// The sample is the index: 16-bit codes, or 0 to 1 as 0 to 65535. DNG 1.7.1 chapter 7, "MapTable".
package struct MapTable: Equatable, Sendable {
  package var area: OpcodeArea
  /// 1 to 65,536 values, 65535 being white.
  package var table: [UInt16]

  package init(area: OpcodeArea, table: [UInt16]) {
    self.area = area
    self.table = table
  }
}
