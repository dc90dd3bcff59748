internal import Raster
internal import RawModel

/// Stored samples of a whole frame, changed one by one.
enum FrameSamples {
  /// Rows that a lane takes at once.
  private static let blockHeight = 64

  /// Replaces the samples of an area by what `body` makes of them: of a value, the top of its range, its
  /// column, row and plane.
  ///
  /// Integers are rounded to the nearest (halves up) and clipped to their type.
  static func replace(
    _ samples: inout StoredSamples,
    area: OpcodeArea,
    region: Region,
    samplesPerPixel: Int,
    scheduler: TileScheduler,
    _ body: (Double, Double, Int, Int, Int) -> Double
  ) {
    let place = Place(area: area, region: region, samplesPerPixel: samplesPerPixel)
    switch consume samples {
    case .uint16(var plane):
      replace(&plane, place, scheduler) { value, x, y, p in
        UInt16(clipped(body(Double(value), 65_535, x, y, p), 65_535))
      }
      samples = .uint16(plane)
    case .uint32(var plane):
      let white = Double(UInt32.max)
      replace(&plane, place, scheduler) { value, x, y, p in
        UInt32(clipped(body(Double(value), white, x, y, p), white))
      }
      samples = .uint32(plane)
    case .float32(var plane):
      replace(&plane, place, scheduler) { value, x, y, p in
        Float(body(Double(value), 1, x, y, p))
      }
      samples = .float32(plane)
    }
  }

  private struct Place {
    let area: OpcodeArea
    let region: Region
    let samplesPerPixel: Int
  }

  private static func replace<Sample: BitwiseCopyable & Sendable>(
    _ plane: inout Plane<Sample>,
    _ place: Place,
    _ scheduler: TileScheduler,
    _ body: (Sample, Int, Int, Int) -> Sample
  ) {
    let region = place.region
    let samples = place.samplesPerPixel
    let planes = (0..<samples).filter { place.area.contains(plane: $0) }
    guard !region.isEmpty, !planes.isEmpty else { return }
    plane.withTileWriter { writer in
      scheduler.forEach(count: (region.height - 1) / blockHeight + 1) {
      } body: { (block, _: inout Void) in
        let start = region.top + block * blockHeight
        for y in start..<min(start + blockHeight, region.bottom)
        where (y - region.top) % place.area.rowPitch == 0 {
          writer.withRow(y, columns: region.left * samples..<region.right * samples) { row in
            for x in stride(from: 0, to: region.width, by: place.area.columnPitch) {
              for p in planes {
                let index = x * samples + p
                row[index] = body(row[index], x + region.left, y, p)
              }
            }
          }
        }
      }
    }
  }

  /// A value that is no number counts as 0.
  private static func clipped(_ value: Double, _ white: Double) -> Double {
    guard value > 0 else { return 0 }
    return min((value + 0.5).rounded(.down), white)
  }
}
