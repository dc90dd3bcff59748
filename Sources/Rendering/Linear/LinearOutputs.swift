internal import ColorScience
internal import DNGFormat
internal import Develop
internal import Digest
internal import ImageEncoding
internal import JSON
internal import Raster
internal import RawDecoding
internal import RawModel
internal import Recipe

/// Writes the linear outputs of one render, each with its record.
struct LinearOutputs {
  /// The libraries that had a part in the outputs so far.
  private(set) var libraries: Set<LibraryVersion> = []
  /// What of the source a DNG keeps; nil where none is written.
  private let original: DNGOriginal?
  private let inputName: String?

  /// Nil where the recipe has no linear output.
  ///
  /// - Throws: `decode` where something that a DNG is to keep is damaged.
  init?(
    _ plan: OutputPlan,
    input: [UInt8],
    inputName: String?
  ) throws(RenderError) {
    guard !plan.linearSteps.isEmpty else { return nil }
    let hasDNG = plan.linearSteps.contains { $0.settings.format == .dng }
    original = hasDNG ? try RawOutputs.original(of: input) : nil
    self.inputName = inputName
  }

  /// What is the same for all outputs.
  struct Request {
    /// The recipe's, for this raw.
    var adjustments: DevelopAdjustments
    /// The same, resolved.
    var settings: DevelopSettings
    var pickedWhite: Chromaticity?
    var facts: LinearRecord.Facts
    var scheduler: TileScheduler
  }

  /// Writes one output and its record.
  ///
  /// - Parameters:
  ///   - frame: The source's samples, with the profile that pictures are developed by.
  ///   - step: What to write.
  ///   - request: What it is made by.
  ///   - sink: Gets the picture.
  ///   - recordSink: Gets the record.
  /// - Returns: What was written: the picture, then the record.
  /// - Throws: `develop`, `encode`, or `write` for a DNG.
  mutating func write(
    _ frame: borrowing RawFrame,
    _ step: OutputPlan.LinearStep,
    _ request: Request,
    to sink: any ByteSink,
    recordTo recordSink: any ByteSink
  ) throws(RenderError) -> (picture: RenderReport.Output, record: RenderReport.Output) {
    do throws(ImageEncodingError) {
      try Self.checkCodes(of: frame.description, step.settings)
    } catch {
      throw .encode(error, outputID: step.id)
    }
    let development: LinearDevelopment
    do throws(DevelopError) {
      development =
        step.settings.format == .dng
        ? try Self.wholeFrame(frame.description, step.settings.linearLevel, request)
        : try LinearDevelopment(
          frame.description,
          settings: request.settings,
          level: step.settings.linearLevel
        )
    } catch {
      throw .develop(error)
    }
    let picture = LinearPicture(
      frame.description,
      development,
      step.settings,
      exposureEV: request.settings.exposureEV
    )
    let written =
      step.settings.format == .dng
      ? try writeDNG(frame, step, picture, request, to: sink)
      : try writeFile(frame, step, picture, request, to: sink)
    for library in written.libraries { libraries.insert(library) }
    let record = LinearRecord(
      picture,
      written: written,
      clipping: SensorClipping(of: frame, area: development.area),
      settings: request.settings,
      facts: request.facts
    )
    let bytes = record.json.bytes(.pretty) + [UInt8(ascii: "\n")]
    try Self.put([(0, bytes)], to: recordSink, step.id)
    return (
      RenderReport.Output(
        id: step.id,
        byteCount: written.byteCount,
        size: development.size,
        format: step.settings.imageFormat,
        colorSpace: nil,
        bitDepth: 8 * picture.sampleFormat.byteCount,
        linear: LinearOutputReport(picture, written)
      ),
      RenderReport.Output(
        id: step.recordID,
        byteCount: bytes.count,
        size: nil,
        format: .json,
        colorSpace: nil,
        bitDepth: nil
      )
    )
  }

  /// Codes are stored as they are or not at all.
  private static func checkCodes(
    of description: RawDescription,
    _ settings: OutputSpecification.LinearSettings
  ) throws(ImageEncodingError) {
    guard settings.isCodes else { return }
    let bits = description.bitsPerSample
    let isFloat = description.sampleFormat == .floatingPoint
    if settings.sampleFormat == .uint16, isFloat || bits > 16 {
      throw .settingInvalid(
        name: "sampleFormat",
        value: "uint16",
        valid: "float32 holds the \(isFloat ? "floating-point" : "\(bits)-bit") samples of this raw"
      )
    }
    // The significand of single precision.
    if !isFloat, bits > 24 {
      throw .settingInvalid(
        name: "level",
        value: settings.level.rawValue,
        valid: "normalized; no format has an exact value for all codes of \(bits) bits"
      )
    }
  }

  // MARK: Files of pixels

  private func writeFile(
    _ frame: borrowing RawFrame,
    _ step: OutputPlan.LinearStep,
    _ picture: LinearPicture,
    _ request: Request,
    to sink: any ByteSink
  ) throws(RenderError) -> LinearPicture.Written {
    func encoding<Value>(
      _ body: () throws(ImageEncodingError) -> Value
    ) throws(RenderError) -> Value {
      do throws(ImageEncodingError) {
        return try body()
      } catch {
        throw .encode(error, outputID: step.id)
      }
    }
    let file = try encoding { () throws(ImageEncodingError) in
      try LinearFiles.begin(
        step.settings.imageFormat,
        picture.fileDescription,
        metadata: ImageMetadata(exifBlock: frame.description.capture.exifBlock),
        to: sink
      )
    }
    var hash = SHA256()
    var counts = LinearSampleCounts()
    try Self.bands(of: frame, picture.development, request.scheduler) {
      (band, rows) throws(RenderError) in
      let (stored, found) = LinearRows.storing(
        band,
        rows: 0..<rows.count,
        as: picture.sampleFormat
      )
      counts += found
      hash.update(stored.bytes)
      try encoding { () throws(ImageEncodingError) in
        try file.append(stored, scheduler: request.scheduler)
      }
    }
    let (byteCount, libraries) = try encoding(file.finish)
    return LinearPicture.Written(
      byteCount: byteCount,
      samplesSHA256: hash.finalize(),
      counts: counts,
      libraries: libraries
    )
  }

  /// Makes a linear picture band by band.
  static func bands(
    of frame: borrowing RawFrame,
    _ development: LinearDevelopment,
    _ scheduler: TileScheduler,
    _ body: (borrowing Plane<Float>, Range<Int>) throws(RenderError) -> Void
  ) throws(RenderError) {
    do throws(LinearBandError<RenderError>) {
      try development.forEachBand(
        of: frame,
        rowCount: LinearFiles.bandRowCount,
        scheduler: scheduler,
        body
      )
    } catch {
      switch error {
      case .develop(let error): throw .develop(error)
      case .body(let error): throw error
      }
    }
  }

  // MARK: DNG

  /// The whole active area, not turned and not resized: a DNG keeps the tags that say how it is shown.
  private static func wholeFrame(
    _ description: RawDescription,
    _ level: LinearLevel,
    _ request: Request
  ) throws(DevelopError) -> LinearDevelopment {
    var adjustments = request.adjustments
    adjustments.scaleFactor = nil
    adjustments.crop = nil
    adjustments.orientation = nil
    adjustments.isDraftModeEnabled = nil
    var whole = description
    whole.orientation = .up
    whole.defaultScale = DefaultScale()
    whole.defaultUserCrop = .whole
    whole.defaultCrop = DefaultCrop(
      originX: 0,
      originY: 0,
      width: Double(description.activeArea.width),
      height: Double(description.activeArea.height)
    )
    return try LinearDevelopment(
      whole,
      settings: DevelopSettings(
        resolving: adjustments,
        for: whole,
        pickedWhite: request.pickedWhite
      ),
      level: level
    )
  }

  private func writeDNG(
    _ frame: borrowing RawFrame,
    _ step: OutputPlan.LinearStep,
    _ picture: LinearPicture,
    _ request: Request,
    to sink: any ByteSink
  ) throws(RenderError) -> LinearPicture.Written {
    guard let original else { preconditionFailure("a recipe with a DNG keeps the original") }
    let development = picture.development
    let channels = development.channels.count
    var plane: Plane<Float>
    do throws(RasterError) {
      plane = try Plane(
        width: channels * development.size.width,
        height: development.size.height
      )
    } catch {
      throw .develop(.raster(error))
    }
    var hash = SHA256()
    var counts = LinearSampleCounts()
    try Self.bands(of: frame, development, request.scheduler) {
      (band, rows) throws(RenderError) in
      let (stored, found) = LinearRows.storing(
        band,
        rows: 0..<rows.count,
        as: picture.sampleFormat
      )
      counts += found
      hash.update(stored.bytes)
      for (index, y) in rows.enumerated() {
        band.withRow(index) { row in
          plane.withMutableRow(y) { target in
            for x in row.indices { target[x] = row[x] }
          }
        }
      }
    }
    let output: DNGOutput
    do throws(DNGWritingError) {
      output = try DNGWriter.write(
        RawFrame(
          samples: .float32(plane),
          description: picture.dngDescription(frame.description)
        ),
        keeping: original,
        settings: DNGOutputSettings(
          compression: .deflate,
          bitDepth: picture.sampleFormat == .float16 ? .float16 : .float32,
          software: "rawmill \(EngineInformation.version)",
          originalFileName: inputName
        ),
        isDemosaiced: true,
        scheduler: request.scheduler
      )
    } catch {
      throw .write(error, outputID: step.id)
    }
    try Self.put(output.parts, to: sink, step.id)
    return LinearPicture.Written(
      byteCount: output.byteCount,
      samplesSHA256: hash.finalize(),
      counts: counts,
      libraries: output.report.libraries.map { LibraryVersion(name: $0.key, version: $0.value) }
    )
  }

  private static func put(
    _ parts: [(offset: Int, bytes: [UInt8])],
    to sink: any ByteSink,
    _ id: String
  ) throws(RenderError) {
    do throws(ByteSinkError) {
      for (offset, bytes) in parts where !bytes.isEmpty {
        // UInt8 has no padding.
        try unsafe sink.write(bytes.span.bytes, at: offset)
      }
    } catch {
      throw .encode(.sink(error), outputID: id)
    }
  }
}
