package import DNGFormat
internal import Develop
internal import Digest
package import ImageEncoding
package import Raster
internal import RawDecoding
internal import RawModel
package import Recipe

/// The whole image engine behind one call: one raw and one recipe become the recipe's outputs.
///
/// Synchronous, without paths and without state. Bytes go from stage to stage by ownership: the file is
/// freed when its samples are decoded, the samples when they are developed, a picture when its last
/// output has it, so that the peak is an encoder's.
package enum Renderer {
  /// Renders one input.
  ///
  /// - Parameters:
  ///   - input: The whole file. Give it away (`consume`), or it stays in memory for the encoders' time.
  ///   - inputName: Its name without a folder, for DNG outputs, which remember it.
  ///   - recipe: Says how and what.
  ///   - sinks: One for each file of the recipe, in its order.
  ///   - scheduler: Lanes of decoding and developing, and the number of the encoder's threads. The bytes
  ///     do not depend on it.
  ///   - digestPolicy: What it means that the samples don't have the digest that the file states.
  ///   - observer: Hears of stages and progress.
  /// - Returns: What was written and how it came about.
  /// - Throws: The failure of the first stage that failed; what the sinks got is then of no use.
  package static func render(
    _ input: consuming [UInt8],
    inputName: String? = nil,
    recipe: Recipe,
    sinks: [any ByteSink],
    scheduler: TileScheduler,
    digestPolicy: DigestPolicy = .error,
    observer: RenderObserver = RenderObserver()
  ) throws(RenderError) -> RenderReport {
    let files = recipe.files
    guard sinks.count == files.count else {
      throw .sinkCount(expected: files.count, found: sinks.count)
    }
    var clock = StageClock(observer: observer)
    let inputByteCount = input.count
    let inputDigest = PendingDigest(of: copy input, scheduler: scheduler)
    let plan = OutputPlan(recipe)
    var frame = try clock.run("decode", share: 0.05) { () throws(RenderError) in
      try decode(input, scheduler: scheduler, digestPolicy: digestPolicy, use: plan.use)
    }
    var raws = try RawOutputs(plan, input: copy input, inputName: inputName)
    var linears = try LinearOutputs(plan, input: copy input, inputName: inputName)
    _ = consume input

    let description = frame.description
    let isDeveloped = plan.isDeveloped
    // Pictures are developed by the recipe's profile; raw outputs keep what the file says.
    let adjustments = recipe.adjustments(for: RuleSubject(description.capture))
    if isDeveloped { try useProfile(of: adjustments, in: &frame.description) }
    let white = isDeveloped ? try pickedWhite(of: adjustments, in: frame) : nil
    let resolved = try ResolvedRecipe(
      recipe,
      for: frame.description,
      isDeveloped: isDeveloped,
      pickedWhite: white
    )
    var outputs = [RenderReport.Output?](repeating: nil, count: files.count)
    for step in plan.statisticsSteps {
      outputs[step.index] = try clock.run("measure \(step.id)", share: 0.1) {
        () throws(RenderError) in
        try StatisticsOutput.write(
          frame,
          step,
          inputSHA256: inputDigest.value,
          development: resolved.development,
          to: sinks[step.index],
          scheduler: scheduler
        )
      }
    }
    func writeRaws(
      _ frame: borrowing RawFrame,
      _ picture: inout DevelopedPicture?
    ) throws(RenderError) {
      guard raws != nil else { return }
      for step in plan.rawSteps {
        outputs[step.index] = try clock.run("encode \(step.id)", share: 0.1) {
          () throws(RenderError) in
          try raws?.write(
            frame,
            step,
            picture: &picture,
            to: sinks[step.index],
            scheduler: scheduler
          )
        }
      }
    }
    func report(
      size: PixelSize,
      _ images: [(index: Int, image: EncodedImage)]
    ) -> RenderReport {
      for (index, image) in images {
        outputs[index] = RenderReport.Output(
          id: files[index].id,
          byteCount: image.byteCount,
          size: image.size,
          format: image.format,
          colorSpace: image.colorSpace,
          bitDepth: image.bitDepth
        )
      }
      return RenderReport(
        inputByteCount: inputByteCount,
        inputSHA256: inputDigest.value,
        size: size,
        camera: CameraInformation(description.capture),
        recipeDigest: recipe.digest,
        resolvedDigest: resolved.digest,
        settings: resolved.settings,
        skippedOpcodes: resolved.skippedOpcodes,
        warnings: description.warnings,
        pixelVersion: PixelVersion.current,
        engineVersion: EngineInformation.version,
        sourceRevision: EngineInformation.sourceRevision,
        libraries: Set(images.flatMap(\.image.libraries)).union(raws?.libraries ?? [])
          .union(linears?.libraries ?? [])
          .sorted { $0.name < $1.name },
        stages: clock.stages,
        outputs: outputs.compactMap(\.self)
      )
    }

    if let development = resolved.development {
      for step in plan.linearSteps {
        let request = LinearOutputs.Request(
          adjustments: adjustments,
          settings: development,
          pickedWhite: white,
          facts: LinearRecord.Facts(
            inputSHA256: inputDigest.value,
            inputByteCount: inputByteCount,
            camera: CameraInformation(description.capture),
            recipeDigest: recipe.digest,
            resolvedDigest: resolved.digest
          ),
          scheduler: scheduler
        )
        let written = try clock.run("encode \(step.id)", share: 0.2) { () throws(RenderError) in
          try linears?.write(
            frame,
            step,
            request,
            to: sinks[step.index],
            recordTo: sinks[step.recordIndex]
          )
        }
        outputs[step.index] = written?.picture
        outputs[step.recordIndex] = written?.record
      }
    }
    guard let development = resolved.development, !plan.depths.isEmpty else {
      frame.description = description
      var none: DevelopedPicture?
      try writeRaws(frame, &none)
      return report(size: description.orientation.turned(description.size), [])
    }
    var developed: DevelopedPicture? = try clock.run("develop", share: 0.15) {
      () throws(RenderError) in
      try develop(frame, development, depths: plan.depths, scheduler: scheduler)
    }
    frame.description = description
    try writeRaws(frame, &developed)
    _ = consume frame
    guard let picture = developed.take() else { preconditionFailure("raws leave the picture") }

    let size = picture.size
    let encoding = OutputEncoding(
      metadata: ImageMetadata(exifBlock: description.capture.exifBlock),
      threadCount: scheduler.laneCount
    )
    let images = try encoding.encode(picture, plan: plan, sinks: sinks, clock: &clock)
    return report(size: size, images)
  }

  static func decode(
    _ input: [UInt8],
    scheduler: TileScheduler,
    digestPolicy: DigestPolicy = .error,
    use: RawUse = .development
  ) throws(RenderError) -> RawFrame {
    do throws(RawDecodeError) {
      return try RawDecoder.decode(
        input,
        scheduler: scheduler,
        digestPolicy: digestPolicy,
        use: use
      )
    } catch {
      throw .decode(error)
    }
  }

  private static func develop(
    _ frame: borrowing RawFrame,
    _ settings: DevelopSettings,
    depths: Set<PictureDepth>,
    scheduler: TileScheduler
  ) throws(RenderError) -> DevelopedPicture {
    do throws(DevelopError) {
      return try Developer.develop(
        frame,
        settings: settings,
        depths: depths,
        scheduler: scheduler
      )
    } catch {
      throw .develop(error)
    }
  }
}
