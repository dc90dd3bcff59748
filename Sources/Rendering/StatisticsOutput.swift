internal import Develop
internal import Digest
internal import ImageEncoding
internal import JSON
internal import Raster
internal import RawModel
internal import Recipe
internal import SceneStatistics

/// Measures a raw and writes what was found.
enum StatisticsOutput {
  /// The version of the document's members and of their meanings.
  static let version = 1

  /// Writes one output: a JSON document.
  ///
  /// `development` is needed for histograms of the developed scene only.
  ///
  /// - Returns: What was written, with the rows of the database's tables.
  /// - Throws: `statistics` for a raw that has none, `develop` for a scene that can't be made, `encode` for the
  ///   sink.
  static func write(
    _ frame: borrowing RawFrame,
    _ step: OutputPlan.StatisticsStep,
    inputSHA256: SHA256Digest,
    development: DevelopSettings?,
    to sink: any ByteSink,
    scheduler: TileScheduler
  ) throws(RenderError) -> RenderReport.Output {
    let statistics = try measure(frame, scheduler: scheduler)
    let binCount = step.settings.histogramBins
    var scene: [(key: String, value: JSONValue)] = []
    if let development, let space = step.settings.areaHistogram {
      let histogram = try SceneHistogram.count(
        frame,
        step.settings,
        in: space,
        development,
        scheduler: scheduler
      )
      scene = [("areaHistogram", histogram)]
    }
    let document = document(
      statistics,
      of: frame.description,
      inputSHA256: inputSHA256,
      binCount: binCount,
      scene: scene
    )
    let bytes = document.bytes() + [UInt8(ascii: "\n")]
    do throws(ByteSinkError) {
      // UInt8 has no padding.
      try unsafe sink.write(bytes.span.bytes, at: 0)
    } catch {
      throw .encode(.sink(error), outputID: step.id)
    }
    return RenderReport.Output(
      id: step.id,
      byteCount: bytes.count,
      size: statistics.area.size,
      format: .json,
      colorSpace: nil,
      bitDepth: frame.description.bitsPerSample,
      statistics: .object(
        head(of: frame.description)
          + statistics.rows(binCount: binCount, table: frame.description.linearizationTable) + scene
      )
    )
  }

  /// The statistics of a raw's samples.
  static func measure(
    _ frame: borrowing RawFrame,
    scheduler: TileScheduler
  ) throws(RenderError) -> SensorStatistics {
    do throws(StatisticsError) {
      return try SensorStatistics.measure(frame, scheduler: scheduler)
    } catch {
      throw .statistics(error)
    }
  }

  /// Everything that was measured, and of what.
  static func document(
    _ statistics: SensorStatistics,
    of description: RawDescription,
    inputSHA256: SHA256Digest,
    binCount: Int?,
    scene: [(key: String, value: JSONValue)] = []
  ) -> JSONValue {
    .object(
      [
        ("document", "rawmill statistics"), ("version", .init(version)),
        ("pixelVersion", .init(PixelVersion.current)),
        ("inputSHA256", .string(inputSHA256.hex)),
      ] + head(of: description) + statistics.document(binCount: binCount) + scene
    )
  }

  /// What the file says of the picture and of its samples.
  private static func head(
    of description: RawDescription
  ) -> [(key: String, value: JSONValue)] {
    let capture = description.capture
    let layout: String
    switch description.layout {
    case .mosaic(let pattern): layout = pattern.rawValue
    case .linear(planes: 1): layout = "monochrome"
    case .linear: layout = "linearRaw"
    case .array(let array): layout = array.text
    }
    return [
      ("camera", CameraInformation(capture).json),
      ("exposureTimeSeconds", .init(capture.exposureTimeSeconds)),
      ("fNumber", .init(capture.fNumber)),
      ("focalLengthMillimetres", .init(capture.focalLengthMillimetres)),
      ("layout", .string(layout)),
      ("bitsPerSample", .init(description.bitsPerSample)),
      (
        "sampleFormat",
        description.sampleFormat == .floatingPoint ? "floatingPoint" : "unsignedInteger"
      ),
    ]
  }
}
