internal import Raster

/// A stage on three colours that looks at neighbours: noise reduction, guided filters, sharpening.
protocol RegionStage: StageKernel {
  /// Rows and columns that a result depends on, on each side.
  var halo: Int { get }
  /// Planes of scratch beside input and output, each as large as the input.
  var scratchPlaneCount: Int { get }
  /// Makes the pixels of `output.region`, which is `input.region` less the halo.
  func apply(_ input: RegionTile, into output: RegionTile, scratch: RegionScratch)
}

extension RegionStage {
  var scratchPlaneCount: Int { 0 }
}

/// Part of a picture as planes of floats.
///
/// The region may reach beyond the picture, where pixels are those of the mirrored picture.
struct RegionTile {
  /// In pixels of the pass: those of the active area, or of the scaled picture.
  let region: Region
  /// Rows are like rows of `PixelRow`; only `place` of row `region.top`, whose next rows follow at
  /// `placeStep`.
  let geometry: RegionGeometry
  private let planes: [3 of SampleRow.Allocation]
  private let top: Int
  private let left: Int

  init(
    region: Region,
    geometry: RegionGeometry,
    planes: [3 of SampleRow.Allocation],
    top: Int,
    left: Int
  ) {
    self.region = region
    self.geometry = geometry
    self.planes = planes
    self.top = top
    self.left = left
  }

  /// The same pixels as a smaller region.
  func cropped(to region: Region) -> RegionTile {
    RegionTile(region: region, geometry: geometry, planes: planes, top: top, left: left)
  }

  /// A row of one colour: index 0 is column `region.left`.
  @inline(__always)
  func row(_ color: Int, _ y: Int) -> SampleRow {
    planes[color].row(y - top).advanced(by: region.left - left)
  }

  /// Red, green and blue of a row.
  @inline(__always)
  func rows(_ y: Int) -> [3 of SampleRow] { [row(0, y), row(1, y), row(2, y)] }

  /// Where a row lies in the picture.
  func place(_ y: Int) -> RowPlace { geometry.place(x: region.left, y: y) }
}

/// Planes of a lane for anything, each as large as the largest tile of the pass.
struct RegionScratch {
  private let planes: SampleRow.Allocation
  private let rowCount: Int

  init(planes: SampleRow.Allocation, rowCount: Int) {
    self.planes = planes
    self.rowCount = rowCount
  }

  /// All rows of all planes, to be cut up otherwise.
  var rows: SampleRow.Allocation { planes }

  /// Row `y`, from 0, of a plane.
  @inline(__always)
  func row(_ plane: Int, _ y: Int) -> SampleRow {
    assert(y >= 0 && y < rowCount)
    return planes.row(plane * rowCount + y)
  }
}
