package import Raster

/// OpcodeList FixBadPixelsConstant (opcode 4): samples of one value are replaced by what surrounds them.
///
/// DNG 1.7.1 chapter 7, "FixBadPixelsConstant".
package struct FixBadPixelsConstant: Equatable, Sendable {
  /// The stored value that marks a bad pixel.
  package var constant: UInt32
  /// The Bayer cell's corner: 0 red, 1 green of a red row, 2 green of a blue row, 3 blue.
  package var bayerPhase: Int

  package init(constant: UInt32, bayerPhase: Int) {
    self.constant = constant
    self.bayerPhase = bayerPhase
  }
}

/// OpcodeList FixBadPixelsList (opcode 5): listed pixels are replaced by what surrounds them.
///
/// DNG 1.7.1 chapter 7, "FixBadPixelsList".
package struct FixBadPixelsList: Equatable, Sendable {
  package struct Point: Hashable, Sendable {
    package var row: UInt32
    package var column: UInt32

    package init(row: UInt32, column: UInt32) {
      self.row = row
      self.column = column
    }
  }

  /// The Bayer cell's corner, as for FixBadPixelsConstant.
  package var bayerPhase: Int
  package var points: [Point]
  package var rectangles: [Region]

  package init(bayerPhase: Int, points: [Point], rectangles: [Region]) {
    self.bayerPhase = bayerPhase
    self.points = points
    self.rectangles = rectangles
  }
}
