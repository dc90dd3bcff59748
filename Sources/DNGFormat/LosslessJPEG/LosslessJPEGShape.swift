/// The frame of a lossless JPEG picture (SOF3): what its header says of its samples.
///
/// The shape need not be the tile's own. A Bayer tile is coded as two components of half its width,
/// so that the left neighbour has the same colour.
package struct LosslessJPEGShape: Equatable, Sendable {
  /// Samples of one component in a line (X).
  package var columns: Int
  /// Lines (Y).
  package var rows: Int
  /// Components, interleaved (Nf).
  package var components: Int
  /// Bits of a sample (P).
  package var precision: Int

  package init(columns: Int, rows: Int, components: Int, precision: Int) {
    self.columns = columns
    self.rows = rows
    self.components = components
    self.precision = precision
  }

  /// Samples of all components in a line.
  package var samplesPerRow: Int { columns * components }
  /// Samples of the whole picture.
  package var sampleCount: Int { samplesPerRow * rows }

  /// Whether the header can say it: 1 to 65,535 lines and columns, 1 to 4 components (a scan holds
  /// no more), 2 to 16 bits.
  package var isEncodable: Bool {
    (1...65_535).contains(columns) && (1...65_535).contains(rows)
      && (1...4).contains(components) && (2...16).contains(precision)
  }
}
