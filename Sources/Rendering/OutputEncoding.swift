internal import Develop
internal import ImageEncoding
internal import Raster
internal import Recipe

/// Encodes the outputs of one render.
struct OutputEncoding {
  let metadata: ImageMetadata
  let threadCount: Int

  /// Encodes every output of a plan and frees each plane of the picture when its last output has it.
  ///
  /// - Returns: What was written, each with its place in the recipe.
  /// - Throws: `encode` with the id of the output that failed.
  func encode(
    _ picture: consuming DevelopedPicture,
    plan: OutputPlan,
    sinks: [any ByteSink],
    clock: inout StageClock
  ) throws(RenderError) -> [(index: Int, image: EncodedImage)] {
    var images: [(index: Int, image: EncodedImage)] = []
    let share = 0.8 / Double(max(1, plan.steps.count))
    for step in plan.steps {
      let sink = sinks[step.index]
      let id = step.output.id
      let image = try clock.run("encode \(id)", share: share) { () throws(RenderError) in
        do throws(ImageEncodingError) {
          switch step.depth {
          case .eight:
            return try encode(&picture.rgb8, step: step, to: sink)
          case .sixteen:
            return try encode(&picture.rgb16, step: step, to: sink)
          }
        } catch {
          throw RenderError.encode(error, outputID: id)
        }
      }
      images.append((step.index, image))
    }
    return images
  }

  private func encode(
    _ plane: inout Plane<UInt8>?,
    step: OutputPlan.Step,
    to sink: any ByteSink
  ) throws(ImageEncodingError) -> EncodedImage {
    guard let picture = plane.take() else { throw .pictureShapeInvalid(samplesPerRow: 0, rows: 0) }
    switch step.output.format {
    case .heic(let settings):
      let settings = HEICSettings(
        quality: settings.quality,
        colorSpace: settings.colorSpace.encoded,
        threadCount: threadCount
      )
      guard !step.isLast else {
        return try HEICEncoder.encode(picture, settings: settings, metadata: metadata, to: sink)
      }
      let image = try HEICEncoder.encode(
        keeping: picture,
        settings: settings,
        metadata: metadata,
        to: sink
      )
      plane = consume picture
      return image
    case .tiff(let settings):
      let image = try TIFFEncoder.encode(
        picture,
        settings: TIFFSettings(colorSpace: settings.colorSpace.encoded),
        metadata: metadata,
        to: sink
      )
      if !step.isLast { plane = consume picture }
      return image
    case .dng, .linear, .statistics:
      // No step of a plan: they are made from the raw samples.
      throw .pictureShapeInvalid(samplesPerRow: 0, rows: 0)
    }
  }

  private func encode(
    _ plane: inout Plane<UInt16>?,
    step: OutputPlan.Step,
    to sink: any ByteSink
  ) throws(ImageEncodingError) -> EncodedImage {
    guard let picture = plane.take(), case .tiff(let settings) = step.output.format else {
      throw .pictureShapeInvalid(samplesPerRow: 0, rows: 0)
    }
    let image = try TIFFEncoder.encode(
      picture,
      settings: TIFFSettings(colorSpace: settings.colorSpace.encoded),
      metadata: metadata,
      to: sink
    )
    if !step.isLast { plane = consume picture }
    return image
  }
}

extension OutputColorSpace {
  /// The space by the encoders' name.
  fileprivate var encoded: EncodedColorSpace {
    switch self {
    case .displayP3: .displayP3
    }
  }
}
