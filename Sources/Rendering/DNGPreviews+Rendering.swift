internal import DNGFormat
internal import Develop
internal import JPEGCodec
internal import Raster
internal import RawModel
internal import Recipe

extension DNGPreviews {
  /// Pixels of a thumbnail's longer edge, as DNG writers make them.
  private static let thumbnailEdge = 256
  private static let thumbnailQuality = 85
  private static let previewQuality = 90

  /// The previews of one output.
  ///
  /// - Throws: `write` with the output's id.
  init(
    _ step: OutputPlan.RawStep,
    of picture: inout DevelopedPicture?,
    orientation: Orientation,
    scheduler: TileScheduler
  ) throws(RenderError) {
    let longEdge: Int?
    switch step.settings.preview {
    case .source:
      self = .kept
      return
    case .none:
      self = .none
      return
    case .full: longEdge = nil
    case .longEdge(let edge): longEdge = edge
    }
    guard let plane = picture?.rgb8.take() else { preconditionFailure("the plan asks for 8 bits") }
    do throws(DNGWritingError) {
      let thumbnail = try DNGPreview(
        plane,
        longEdge: Self.thumbnailEdge,
        quality: Self.thumbnailQuality,
        orientation: orientation,
        scheduler: scheduler
      )
      let preview = try DNGPreview(
        plane,
        longEdge: longEdge,
        quality: Self.previewQuality,
        orientation: orientation,
        scheduler: scheduler
      )
      self = .rendered(thumbnail: thumbnail, others: [preview])
      picture?.rgb8 = consume plane
    } catch {
      throw .write(error, outputID: step.id)
    }
  }
}

extension DNGPreview {
  fileprivate init(
    _ plane: borrowing Plane<UInt8>,
    longEdge: Int?,
    quality: Int,
    orientation: Orientation,
    scheduler: TileScheduler
  ) throws(DNGWritingError) {
    let picture: PreviewPicture
    do throws(RasterError) {
      picture = try PreviewPicture(
        plane,
        longEdge: longEdge,
        orientation: orientation,
        scheduler: scheduler
      )
    } catch {
      throw .memory(error)
    }
    let jpeg: [UInt8]
    do throws(JPEGError) {
      jpeg = try picture.jpeg(quality: quality)
    } catch {
      throw .jpeg(error)
    }
    self.init(
      size: picture.size,
      jpeg: jpeg,
      subsampling: (2, 2),
      application: "rawmill",
      applicationVersion: EngineInformation.version
    )
  }
}
