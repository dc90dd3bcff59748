package import Raster
package import RawModel

/// Develops raws: the stages of `DevelopPlan` in their order, tile by tile.
package enum Developer {
  /// Tiles that keep a lane's rows in its second-level cache and give even small pictures to all lanes.
  static let defaultTileSize = PixelSize(width: 512, height: 512)

  /// Develops a raw with resolved settings.
  ///
  /// The bytes of the result depend on the raw and the settings alone: not on the scheduler's lanes,
  /// not on `tileSize`.
  ///
  /// - Parameters:
  ///   - frame: The decoded raw.
  ///   - settings: Resolved for `frame.description`.
  ///   - depths: Which planes of the picture are made.
  ///   - scheduler: The lanes that tiles run on.
  ///   - tileSize: Overrides the size of the tiles.
  /// - Returns: The picture, cropped and turned.
  /// - Throws: What of the raw cannot be developed, or that memory was refused.
  package static func develop(
    _ frame: borrowing RawFrame,
    settings: DevelopSettings,
    depths: Set<PictureDepth>,
    scheduler: TileScheduler,
    tileSize: PixelSize? = nil
  ) throws(DevelopError) -> DevelopedPicture {
    let tileSize = tileSize ?? defaultTileSize
    let plan = try DevelopPlan(frame.description, settings: settings)
    let samplesPerPixel = frame.description.layout.samplesPerPixel
    guard
      frame.samples.width == frame.description.size.width * samplesPerPixel,
      frame.samples.height == frame.description.size.height
    else {
      throw .geometryUnusable(tag: "ImageWidth", reason: "does not fit the decoded samples")
    }
    switch frame.samples {
    case .uint16(let samples):
      do throws(RasterError) {
        if let changed = try changed(samples, frame.description, plan, scheduler) {
          return try develop(changed, plan: plan, depths, scheduler, tileSize: tileSize)
        }
        return try develop(samples, plan: plan, depths, scheduler, tileSize: tileSize)
      } catch {
        throw .raster(error)
      }
    case .uint32: throw .samplesUnsupported(.uint32)
    case .float32: throw .samplesUnsupported(.float32)
    }
  }

  /// What OpcodeList1 makes of the stored samples; nil where it changes none.
  ///
  /// The caller keeps the frame, so that they are changed in a copy.
  static func changed(
    _ samples: borrowing Plane<UInt16>,
    _ description: RawDescription,
    _ plan: DevelopPlan,
    _ scheduler: TileScheduler
  ) throws(RasterError) -> Plane<UInt16>? {
    guard !plan.frameStages.isEmpty else { return nil }
    var copy = StoredSamples.uint16(try copy(of: samples))
    for stage in plan.frameStages {
      try stage.apply(&copy, description: description, scheduler: scheduler)
    }
    guard case .uint16(let plane) = copy else {
      preconditionFailure("a stage keeps the kind of the samples")
    }
    return plane
  }

  private static func copy<Sample>(
    of plane: borrowing Plane<Sample>
  ) throws(RasterError) -> Plane<Sample> {
    var copy = try Plane<Sample>(width: plane.width, height: plane.height)
    for y in 0..<copy.height {
      plane.withRow(y) { source in
        copy.withMutableRow(y) { row in
          for x in row.indices { row[x] = source[x] }
        }
      }
    }
    return copy
  }

  private static func develop(
    _ stored: borrowing Plane<UInt16>,
    plan: DevelopPlan,
    _ depths: Set<PictureDepth>,
    _ scheduler: TileScheduler,
    tileSize: PixelSize
  ) throws(RasterError) -> DevelopedPicture {
    let stride = stored.stride
    // The closure gives nothing back: a picture can't be copied, and closures' results must be.
    var picture: DevelopedPicture?
    try unsafe stored.withUnsafeSamples { (samples) throws(RasterError) in
      let samples = unsafe ActiveSamples(frame: samples, stride: stride, plan: plan)
      var plan = plan
      if plan.readsHighlights {
        plan = plan.prepared(
          with: try unsafe Highlights.of(samples, plan: plan, scheduler: scheduler)
        )
      }
      if plan.readsAnalysis {
        let analysis = try unsafe PictureAnalysis.of(samples, plan: plan, scheduler: scheduler)
        plan = try plan.prepared(with: analysis)
      }
      picture = try unsafe develop(samples, plan: plan, depths, scheduler, tileSize: tileSize)
    }
    guard let picture = picture.take() else { preconditionFailure("the closure runs once") }
    return picture
  }

  private static func develop(
    _ samples: ActiveSamples,
    plan: DevelopPlan,
    _ depths: Set<PictureDepth>,
    _ scheduler: TileScheduler,
    tileSize: PixelSize
  ) throws(RasterError) -> DevelopedPicture {
    let size = plan.geometry.size
    // Planes that nobody asked for are empty, so that both writers exist; they are left out below.
    let isEight = depths.contains(.eight)
    let isSixteen = depths.contains(.sixteen)
    var eight = try Plane<UInt8>(
      width: isEight ? 3 * size.width : 0,
      height: isEight ? size.height : 0
    )
    var sixteen = try Plane<UInt16>(
      width: isSixteen ? 3 * size.width : 0,
      height: isSixteen ? size.height : 0
    )
    let crop = plan.geometry.crop
    let tile = PixelSize(
      width: min(max(tileSize.width, 1), crop.width),
      height: min(max(tileSize.height, 1), crop.height)
    )
    let grid = TileGrid(bounds: crop, tileSize: tile)
    try eight.withTileWriter { (eightWriter) throws(RasterError) in
      try sixteen.withTileWriter { (sixteenWriter) throws(RasterError) in
        let writer = PictureWriter(
          geometry: plan.geometry,
          eight: isEight ? eightWriter : nil,
          sixteen: isSixteen ? sixteenWriter : nil
        )
        try unsafe EncodingTables.sRGB.withPointers { (tables) throws(RasterError) in
          try scheduler.forEachTile(
            of: grid,
            laneState: { () throws(RasterError) in
              try unsafe TileKernel(plan, size: tile, writer: writer, tables: tables)
            },
            body: { (tile, kernel) throws(RasterError) in
              unsafe kernel.develop(tile.region, samples: samples)
            }
          )
        }
      }
    }
    var picture = DevelopedPicture(size: size, rgb8: nil, rgb16: nil)
    if isEight { picture.rgb8 = consume eight }
    if isSixteen { picture.rgb16 = consume sixteen }
    return picture
  }
}
