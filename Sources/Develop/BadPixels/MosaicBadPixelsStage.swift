internal import Raster
internal import RawModel

/// FixBadPixelsList of OpcodeList2: bad photosites of the linear mosaic are patched.
///
/// See `BadPixelPatch`. DNG 1.7.1 chapter 7, "FixBadPixelsList". Version 1.
struct MosaicBadPixelsStage: MosaicStage {
  static let name = "fixBadPixels"

  let halo: Int
  private let mask: BadPixelMask
  private let patch: BadPixelPatch
  /// Rows that have bad photosites.
  private let badRows: [Bool]

  /// Nil for a list that names nothing within the active area.
  ///
  /// - Throws: `opcodeUnusable` for a photosite without a good one of its colour within reach.
  init?(_ list: FixBadPixelsList, size: PixelSize) throws(DevelopError) {
    let mask = BadPixelMask(list, size: size)
    guard !mask.isEmpty else { return nil }
    let patch = BadPixelPatch(bayerPhase: list.bayerPhase)
    var farthest = 0
    var lost: (x: Int, y: Int)?
    for y in 0..<size.height {
      mask.forEachBad(inRow: y) { x in
        if let distance = patch.distance(x: x, y: y, in: mask) {
          farthest = max(farthest, distance)
        } else {
          lost = (x, y)
        }
      }
    }
    if let lost {
      throw .opcodeUnusable(
        list: 2,
        name: "FixBadPixelsList",
        reason: "leaves no good photosite within \(BadPixelPatch.reach) of "
          + "\(lost.x), \(lost.y)"
      )
    }
    halo = (farthest + 1) & ~1
    badRows = (0..<size.height).map { mask.hasBad(inRow: $0) }
    self.mask = mask
    self.patch = patch
  }

  func isNeeded(in region: Region) -> Bool {
    region.rows.contains { badRows[Mirror.index($0, count: mask.size.height)] }
  }

  func apply(_ input: MosaicTile, into output: MosaicTile, scratch: SampleRow.Allocation) {
    let region = output.region
    let offset = (region.left - input.region.left) >> 1
    for y in region.rows {
      let rows = [(input.even(y), output.even(y)), (input.odd(y), output.odd(y))]
      for (source, target) in rows {
        for i in stride(from: 0, to: output.pairCount, by: 8) {
          target[lanes: i] = source[lanes: i + offset]
        }
      }
      // Beyond the picture the mosaic is mirrored, and so are its patches.
      let row = Mirror.index(y, count: mask.size.height)
      guard badRows[row] else { continue }
      mask.forEachBad(inRow: row) { column in
        guard isReadable(column, row, in: input.region) else { return }
        let value = patch.value(x: column, y: row) {
          mask.isGood(x: $0, y: $1)
        } sample: { x, y in
          Double((x & 1 == 0 ? input.even(y) : input.odd(y))[(x - input.region.left) >> 1])
        }
        guard let value else { return }
        func store(_ x: Int) {
          (x & 1 == 0 ? output.even(y) : output.odd(y))[(x - region.left) >> 1] = Float(value)
        }
        let width = mask.size.width
        if region.left >= 0 && region.right <= width {
          if region.columns.contains(column) { store(column) }
        } else {
          for x in region.columns where Mirror.index(x, count: width) == column { store(x) }
        }
      }
    }
  }

  /// Whether the tile has everything that the patch of a photosite may read.
  ///
  /// A photosite that the tile shows, or whose mirror image it shows, always has; others need no patch.
  private func isReadable(_ x: Int, _ y: Int, in region: Region) -> Bool {
    let size = mask.size
    return max(0, x - halo) >= region.left && min(size.width, x + halo + 1) <= region.right
      && max(0, y - halo) >= region.top && min(size.height, y + halo + 1) <= region.bottom
  }
}
