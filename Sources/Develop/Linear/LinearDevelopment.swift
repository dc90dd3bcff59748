package import ColorScience
package import Raster
package import RawModel

/// A linear picture of one raw, made in bands, so that no more than a band of it is in memory.
package struct LinearDevelopment: Sendable {
  let plan: DevelopPlan
  let level: LinearLevel
  let description: RawDescription
  /// Of the picture.
  package let size: PixelSize
  /// What each sample of a pixel is.
  package let channels: [LinearChannel]
  /// The shown part, in whole pixels of the active area.
  package let area: Region
  /// Whether Orientation is applied.
  package let isTurned: Bool
  /// What the camera records of a white that is rendered neutral, its largest component 1; nil for
  /// monochrome raws.
  package let neutral: Vector3?
  /// Balanced camera colours to the colour space of a scene, with the exposure.
  package let cameraToSpace: Matrix3?

  /// Opcodes that are applied (`OpcodeList2 GainMap`), in the file's order.
  package let appliedOpcodes: [String]
  /// The file's other opcodes.
  package let otherOpcodes: [String]
  /// What the file's warps say of the lens.
  package let optics: LensOptics?

  /// The stages that change something, in their order; none of codes.
  package var stages: [StageSummary] { level.isCodes ? [] : plan.summary }

  /// Where points of the active area lie in the picture.
  package var map: PixelMap { PixelMap(self) }

  /// - Parameters:
  ///   - description: The raw's.
  ///   - settings: Resolved for it.
  ///   - level: What is made.
  /// - Throws: What of the raw cannot be developed, or `layoutUnsupported` for the planes of a raw that is
  ///   no mosaic.
  package init(
    _ description: RawDescription,
    settings: DevelopSettings,
    level: LinearLevel
  ) throws(DevelopError) {
    let isMosaic = description.layout.isMosaic
    let level = level.resolved(isMosaic: isMosaic)
    if !isMosaic, level.layout == .planes { throw .mosaicMissing }
    var settings = settings
    settings.linear = level
    let opcodes = OpcodeStages.sorted(description, settings, lists: level.opcodeLists)
    appliedOpcodes = opcodes.applied
    otherOpcodes = opcodes.others
    optics = try OpcodeStages.optics(description, settings, isApplied: level.opcodeLists == 3)
    var description = description
    // What TrimBounds leaves is the scene's.
    if level.opcodeLists < 3 { description.opcodeList3 = [] }
    let context = try StageContext(description, settings: settings)
    plan = try DevelopPlan(description, settings: settings)
    self.level = level
    self.description = description
    area = plan.geometry.crop
    neutral = context.camera.map { _ in Vector3(repeating: 1) / context.gains }
    if case .scene(let space) = level {
      cameraToSpace = try SceneColorStage(context, space: space).matrix
    } else {
      cameraToSpace = nil
    }
    channels = try LinearChannel.channels(level, description.layout, area: area)
    switch level.layout {
    case .planes:
      size = PixelSize(width: area.width / 2, height: area.height / 2)
      isTurned = false
    case .cfa:
      size = area.size
      isTurned = false
    case .demosaiced where level.isCodes:
      size = area.size
      isTurned = false
    case .demosaiced:
      size = plan.geometry.size
      isTurned = true
    }
    guard size.width > 0, size.height > 0 else {
      throw .geometryUnusable(tag: "DefaultCropSize", reason: "has no whole 2x2 cell")
    }
  }

  /// Makes the picture from the top, `rowCount` rows at a time.
  ///
  /// The values depend on the raw and the settings alone: not on the lanes, the bands or `tileSize`.
  ///
  /// - Parameters:
  ///   - frame: The decoded raw.
  ///   - rowCount: Rows of a band.
  ///   - scheduler: The lanes that tiles run on.
  ///   - tileSize: Overrides the size of the tiles.
  ///   - body: Gets a plane of interleaved samples, and the rows of the picture that lie in its first ones.
  /// - Throws: `develop`, or `body` with what `body` threw.
  package func forEachBand<Failure: Error>(
    of frame: borrowing RawFrame,
    rowCount: Int,
    scheduler: TileScheduler,
    tileSize: PixelSize? = nil,
    _ body: (borrowing Plane<Float>, Range<Int>) throws(Failure) -> Void
  ) throws(LinearBandError<Failure>) {
    let tileSize = tileSize ?? Developer.defaultTileSize
    let samplesPerPixel = description.layout.samplesPerPixel
    guard
      frame.samples.width == description.size.width * samplesPerPixel,
      frame.samples.height == description.size.height
    else {
      throw .develop(
        .geometryUnusable(tag: "ImageWidth", reason: "does not fit the decoded samples")
      )
    }
    let changed: StoredSamples?
    do throws(RasterError) {
      changed = try Developer.changed(frame.samples, description, plan, scheduler)
    } catch {
      throw .develop(.raster(error))
    }
    let run = Run(
      development: self,
      rowCount: min(max(rowCount, 1), size.height),
      scheduler: scheduler,
      tileSize: tileSize
    )
    switch consume changed {
    case .some(let changed): try run.forEachBand(of: changed, body)
    case .none: try run.forEachBand(of: frame.samples, body)
    }
  }
}

/// Why a linear picture was not made.
package enum LinearBandError<Failure: Error>: Error {
  case develop(DevelopError)
  /// What took the bands failed.
  case body(Failure)
}
