internal import Raster

/// A stage on a mosaic's linear samples that looks at neighbours: bad pixels, despeckling, highlights.
protocol MosaicStage: StageKernel {
  /// Rows and columns that a result depends on, on each side; even, so that filter colours stay.
  var halo: Int { get }
  /// Half rows of scratch beside the two tiles, each as long as the tile is wide.
  var scratchRowCount: Int { get }
  /// Whether anything can change in a region of the active area; where not, the stage is skipped, which
  /// must make no difference.
  func isNeeded(in region: Region) -> Bool
  /// Makes the samples of `output.region`, which is `input.region` less the halo.
  func apply(_ input: MosaicTile, into output: MosaicTile, scratch: SampleRow.Allocation)
}

extension MosaicStage {
  var scratchRowCount: Int { 0 }
  func isNeeded(in region: Region) -> Bool { true }
}

/// Part of a mosaic: linear samples, 1 being white, before white balance.
///
/// Rows are split into their even and odd columns. The region begins at an even column and may reach
/// beyond the picture, where samples are mirrored about its edge (colours fit).
struct MosaicTile {
  /// In pixels of the active area.
  let region: Region
  private let rows: SampleRow.Allocation
  /// Where the first row and the first pair of columns of `rows` lie.
  private let top: Int
  private let left: Int

  /// `rows` are even and odd half rows in turn, the first pair for row `top`, column `left`.
  init(region: Region, rows: SampleRow.Allocation, top: Int, left: Int) {
    self.region = region
    self.rows = rows
    self.top = top
    self.left = left
  }

  /// The same samples as a smaller region.
  func cropped(to region: Region) -> MosaicTile {
    MosaicTile(region: region, rows: rows, top: top, left: left)
  }

  /// The even columns of row `y`: index 0 is column `region.left`.
  @inline(__always)
  func even(_ y: Int) -> SampleRow {
    rows.row(2 * (y - top)).advanced(by: (region.left - left) >> 1)
  }

  /// The odd columns of row `y`: index 0 is column `region.left + 1`.
  @inline(__always)
  func odd(_ y: Int) -> SampleRow {
    rows.row(2 * (y - top) + 1).advanced(by: (region.left - left) >> 1)
  }

  /// Pairs of columns in a row.
  var pairCount: Int { (region.width + 1) >> 1 }
}
