internal import Raster
internal import RawModel

/// A GainMap: lens shading, usually one map for each photosite of the Bayer cell.
///
/// A gain is bilinear between grid points, the grid being stretched over the image with pixel
/// centres at (x + 0.5) / width; outside the grid the edge goes on. The result is clipped to the
/// logical range: of the stored type in list 1, 0 to 1 in lists 2 and 3. DNG 1.7.1 chapter 7, "GainMap". Version 2: clipped before white balance.
struct GainMapStage: LineStage {
  static let name = "gainMap"
  static let version = 2

  let map: ResolvedGainMap
  let region: Region
  /// What white is in balanced red, green and blue, for list 3.
  let limits: [Float]
  let samplesPerPixel: Int

  /// - Throws: `opcodeUnusable`.
  init(_ map: GainMap, list: Int, _ context: StageContext) throws(DevelopError) {
    let size = OpcodeStages.imageSize(list: list, context)
    self.map = try ResolvedGainMap(map, list: list, size: size)
    region = map.area.region(in: size)
    limits = (0..<3).map { OpcodeStages.colorLimit(context) * Float(context.gains[$0]) }
    samplesPerPixel = context.description.layout.samplesPerPixel
  }
}

extension GainMapStage: FrameStage {
  func apply(
    _ samples: inout StoredSamples,
    description: RawDescription,
    scheduler: TileScheduler
  ) throws(RasterError) {
    let map = map
    FrameSamples.replace(
      &samples,
      area: map.map.area,
      region: region,
      samplesPerPixel: description.layout.samplesPerPixel,
      scheduler: scheduler
    ) { value, _, x, y, plane in
      value * Double(map.gain(x: Double(x), map.gains(row: y, sample: plane)))
    }
  }
}

extension GainMapStage: PixelStage {
  var scratchRowCount: Int { 1 }

  func apply(_ row: PixelRow) {
    guard region.rows.contains(SampleRuns.whole(row.place.y)) else { return }
    let gains = row.scratch.row(0)
    var gainPlane = -1
    for color in 0..<3 {
      let sample = min(color, samplesPerPixel - 1)
      guard map.map.area.contains(plane: sample) else { continue }
      let plane = min(sample - map.map.area.plane, map.map.mapPlanes - 1)
      if plane != gainPlane {
        let rowGains = map.gains(y: row.place.y, sample: sample)
        for i in row.range { gains[i] = map.gain(x: row.place.x(i), rowGains) }
        gainPlane = plane
      }
      SampleRuns.forEach(row, color, area: map.map.area, region: region) { run in
        run.replace { value, index in
          (value * gains[lanes: run.indices.lowerBound + index]).clamped(0, limits[color])
        }
      }
    }
  }
}
