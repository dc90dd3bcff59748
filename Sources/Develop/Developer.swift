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
    do throws(RasterError) {
      if let changed = try changed(frame.samples, frame.description, plan, scheduler) {
        return try develop(changed, plan, depths, scheduler, tileSize)
      }
      return try develop(frame.samples, plan, depths, scheduler, tileSize)
    } catch {
      throw .raster(error)
    }
  }

  /// What OpcodeList1 makes of the stored samples; nil where it changes none.
  ///
  /// The caller keeps the frame, so that they are changed in a copy.
  static func changed(
    _ samples: borrowing StoredSamples,
    _ description: RawDescription,
    _ plan: DevelopPlan,
    _ scheduler: TileScheduler
  ) throws(RasterError) -> StoredSamples? {
    guard !plan.frameStages.isEmpty else { return nil }
    var result = try copy(of: samples)
    for stage in plan.frameStages {
      try stage.apply(&result, description: description, scheduler: scheduler)
    }
    return result
  }

  private static func copy(
    of samples: borrowing StoredSamples
  ) throws(RasterError) -> StoredSamples {
    switch samples {
    case .uint16(let plane): .uint16(try copy(of: plane))
    case .uint32(let plane): .uint32(try copy(of: plane))
    case .float32(let plane): .float32(try copy(of: plane))
    }
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
    _ samples: borrowing StoredSamples,
    _ plan: DevelopPlan,
    _ depths: Set<PictureDepth>,
    _ scheduler: TileScheduler,
    _ tileSize: PixelSize
  ) throws(RasterError) -> DevelopedPicture {
    let kind = samples.kind
    return switch samples {
    case .uint16(let plane): try develop(plane, kind, plan, depths, scheduler, tileSize)
    case .uint32(let plane): try develop(plane, kind, plan, depths, scheduler, tileSize)
    case .float32(let plane): try develop(plane, kind, plan, depths, scheduler, tileSize)
    }
  }

  private static func develop<Sample>(
    _ stored: borrowing Plane<Sample>,
    _ kind: StoredSamples.Kind,
    _ plan: DevelopPlan,
    _ depths: Set<PictureDepth>,
    _ scheduler: TileScheduler,
    _ tileSize: PixelSize
  ) throws(RasterError) -> DevelopedPicture {
    let stride = stored.stride
    // The closure gives nothing back: a picture can't be copied, and closures' results must be.
    var picture: DevelopedPicture?
    try unsafe stored.withUnsafeSamples { (samples) throws(RasterError) in
      let samples = unsafe ActiveSamples(frame: samples, kind: kind, stride: stride, plan: plan)
      let plan = try unsafe prepared(plan, samples, scheduler)
      picture = try unsafe develop(samples, plan: plan, depths, scheduler, tileSize: tileSize)
    }
    guard let picture = picture.take() else { preconditionFailure("the closure runs once") }
    return picture
  }

  /// The plan with stages that have seen the whole picture.
  static func prepared(
    _ plan: DevelopPlan,
    _ samples: ActiveSamples,
    _ scheduler: TileScheduler
  ) throws(RasterError) -> DevelopPlan {
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
    return plan
  }

  /// What all passes but the last make; nil where there is one pass.
  static func intermediate(
    _ samples: ActiveSamples,
    plan: DevelopPlan,
    _ scheduler: TileScheduler,
    tileSize: PixelSize
  ) throws(RasterError) -> IntermediatePicture? {
    var intermediate: IntermediatePicture?
    for pass in plan.passes.dropLast() {
      let made = try IntermediatePicture(pass.output)
      try unsafe run(pass, plan, samples, intermediate, scheduler, tileSize) {
        (width) throws(RasterError) in
        try IntermediateRows(
          pass.trailingPixels,
          geometry: pass.geometry,
          width: width,
          picture: made
        )
      }
      intermediate = made
    }
    return intermediate
  }

  private static func develop(
    _ samples: ActiveSamples,
    plan: DevelopPlan,
    _ depths: Set<PictureDepth>,
    _ scheduler: TileScheduler,
    tileSize: PixelSize
  ) throws(RasterError) -> DevelopedPicture {
    let intermediate = try unsafe intermediate(samples, plan: plan, scheduler, tileSize: tileSize)
    guard let last = plan.passes.last else { preconditionFailure("a plan has a pass") }
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
    try eight.withTileWriter { (eightWriter) throws(RasterError) in
      try sixteen.withTileWriter { (sixteenWriter) throws(RasterError) in
        let writer = PictureWriter(
          geometry: plan.geometry,
          eight: isEight ? eightWriter : nil,
          sixteen: isSixteen ? sixteenWriter : nil
        )
        try unsafe EncodingTables.sRGB.withPointers { (tables) throws(RasterError) in
          try unsafe run(last, plan, samples, intermediate, scheduler, tileSize) {
            (width) throws(RasterError) in
            try unsafe PictureRows(
              last.trailingPixels,
              geometry: last.geometry,
              width: width,
              writer: writer,
              tables: tables
            )
          }
        }
      }
    }
    var picture = DevelopedPicture(size: size, rgb8: nil, rgb16: nil)
    if isEight { picture.rgb8 = consume eight }
    if isSixteen { picture.rgb16 = consume sixteen }
    return picture
  }

  /// Runs one pass, tile by tile; `end` makes what takes a lane's rows, for tiles of a width.
  static func run(
    _ pass: DevelopPass,
    _ plan: DevelopPlan,
    _ samples: ActiveSamples,
    _ intermediate: IntermediatePicture?,
    _ scheduler: TileScheduler,
    _ tileSize: PixelSize,
    end: (Int) throws(RasterError) -> any RowConsumer
  ) throws(RasterError) {
    let size = pass.tileSize(tileSize)
    try scheduler.forEachTile(
      of: TileGrid(bounds: pass.output, tileSize: size),
      laneState: { () throws(RasterError) in
        try TileKernel(
          pass,
          size: size,
          source: { (size) throws(RasterError) in
            switch (pass.source, intermediate) {
            case (.half, _): try unsafe HalfSource(plan, samples: samples, size: size)
            case (.intermediate(let warps), let picture?):
              try IntermediateSource(picture, warps: warps, width: size.width)
            case (.raw, _), (.intermediate, nil):
              try unsafe RawSource(plan, samples: samples, size: size)
            }
          },
          end: try end(size.width)
        )
      },
      body: { (tile, kernel) throws(RasterError) in kernel.run(tile.region) }
    )
  }
}
