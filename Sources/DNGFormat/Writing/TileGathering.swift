internal import Raster
internal import RawModel

/// Copies tiles out of a frame, with its edge repeated where they reach over it.
enum TileGathering {
  /// A tile's samples in row order.
  ///
  /// What is repeated has the same colour in a mosaic: that costs the fewest bits.
  static func gather<Sample: BitwiseCopyable>(
    _ region: Region,
    of frame: borrowing Plane<Sample>,
    _ layout: SampleLayout,
    filling: Sample,
    into samples: inout [Sample]
  ) {
    let planes = layout.samplesPerPixel
    let size = PixelSize(width: frame.width / planes, height: frame.height)
    let period = if case .mosaic = layout { 2 } else { 1 }
    let columns = region.left..<min(region.right, size.width)
    let width = region.width * planes
    if samples.count != width * region.height {
      samples = [Sample](repeating: filling, count: width * region.height)
    }
    var output = samples.mutableSpan
    for y in region.rows {
      let start = (y - region.top) * width
      frame.withRow(repeated(y, length: size.height, period: period)) { row in
        let inside = row.extracting(columns.lowerBound * planes..<columns.upperBound * planes)
        copy(inside, into: &output, at: start)
        for x in columns.upperBound..<max(columns.upperBound, region.right) {
          let source = repeated(x, length: size.width, period: period)
          let target = start + (x - region.left) * planes
          for plane in 0..<planes { output[target + plane] = row[source * planes + plane] }
        }
      }
    }
  }

  /// The position itself, or the last one of the same phase within `length` (the very last, if a side
  /// is shorter than the period).
  static func repeated(_ position: Int, length: Int, period: Int) -> Int {
    guard position >= length else { return position }
    let last = length - 1
    guard length >= period else { return last }
    return last - ((last - position) % period + period) % period
  }
}

/// Copies samples; a function of its own, because the loop is vectorised here and not in a closure.
private func copy<Sample: BitwiseCopyable>(
  _ source: Span<Sample>,
  into output: inout MutableSpan<Sample>,
  at start: Int
) {
  for index in source.indices { output[start + index] = source[index] }
}
