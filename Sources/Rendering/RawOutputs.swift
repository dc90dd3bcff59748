internal import DNGFormat
internal import Develop
internal import ImageEncoding
internal import Raster
internal import RawDecoding
internal import RawModel
internal import Recipe

/// Writes the DNG outputs of one render.
struct RawOutputs {
  /// The libraries that had a part in the outputs so far.
  private(set) var libraries: Set<LibraryVersion> = []
  /// What of the source is kept.
  private let original: DNGOriginal
  /// The source's bytes, where an output may be a copy of them.
  private let source: [UInt8]?
  private let inputName: String?

  /// Nil where the recipe has no DNG output.
  ///
  /// - Throws: `decode` where something that is to be kept is damaged.
  init?(
    _ plan: OutputPlan,
    input: [UInt8],
    inputName: String?
  ) throws(RenderError) {
    guard !plan.rawSteps.isEmpty else { return nil }
    original = try Self.original(of: input)
    source = plan.keepsSmaller ? input : nil
    self.inputName = inputName
  }

  /// What of a source a DNG keeps.
  ///
  /// - Throws: `decode` where something of it is damaged.
  static func original(of input: [UInt8]) throws(RenderError) -> DNGOriginal {
    do throws(DNGReadError) {
      return try DNGOriginal(input)
    } catch {
      throw .decode(.dng(error))
    }
  }

  /// Writes one output.
  ///
  /// - Parameters:
  ///   - frame: The source's samples.
  ///   - step: What to write.
  ///   - picture: The developed picture, where the output has previews of it.
  ///   - sink: Gets the file.
  ///   - scheduler: The lanes to work on.
  /// - Returns: What was written.
  /// - Throws: `write`, `develop` for a mosaic that can't be demosaiced, `encode` for the sink.
  mutating func write(
    _ frame: borrowing RawFrame,
    _ step: OutputPlan.RawStep,
    picture: inout DevelopedPicture?,
    to sink: any ByteSink,
    scheduler: TileScheduler
  ) throws(RenderError) -> RenderReport.Output {
    let previews = try DNGPreviews(
      step,
      of: &picture,
      orientation: frame.description.orientation,
      scheduler: scheduler
    )
    let output: DNGOutput
    let size: PixelSize
    do throws(RenderError) {
      if step.settings.linear, frame.description.layout.isMosaic {
        let demosaiced: RawFrame
        do throws(DevelopError) {
          demosaiced = try Developer.linearRaw(frame, scheduler: scheduler)
        } catch {
          throw .develop(error)
        }
        size = demosaiced.description.size
        output = try write(demosaiced, step, previews, isDemosaiced: true, scheduler)
      } else {
        size = frame.description.size
        output = try write(frame, step, previews, isDemosaiced: false, scheduler)
      }
    } catch {
      // Samples that the compression can't hold, of floating point as a rule, are kept as they are as well.
      guard case .write(.unsupportedBitDepth, _) = error, step.settings.keepSmaller,
        step.settings.bitDepth == .source, let source
      else { throw error }
      return try keep(source, frame.description, step, sink)
    }
    if step.settings.keepSmaller, let source, output.byteCount >= source.count {
      return try keep(source, frame.description, step, sink)
    }
    try put(output.parts, to: sink, step.id)
    for (name, version) in output.report.libraries {
      libraries.insert(LibraryVersion(name: name, version: version))
    }
    return RenderReport.Output(
      id: step.id,
      byteCount: output.byteCount,
      size: size,
      format: .dng,
      colorSpace: nil,
      bitDepth: output.report.bitsPerSample,
      raw: RawOutputReport(output.report, compression: step.settings.compression.rawValue)
    )
  }

  /// Writes the source's own bytes.
  private func keep(
    _ source: [UInt8],
    _ description: RawDescription,
    _ step: OutputPlan.RawStep,
    _ sink: any ByteSink
  ) throws(RenderError) -> RenderReport.Output {
    try put([(0, source)], to: sink, step.id)
    return RenderReport.Output(
      id: step.id,
      byteCount: source.count,
      size: description.size,
      format: .dng,
      colorSpace: nil,
      bitDepth: description.bitsPerSample,
      raw: RawOutputReport(compression: "copy", isUnchanged: true)
    )
  }

  private func write(
    _ frame: borrowing RawFrame,
    _ step: OutputPlan.RawStep,
    _ previews: DNGPreviews,
    isDemosaiced: Bool,
    _ scheduler: TileScheduler
  ) throws(RenderError) -> DNGOutput {
    do throws(DNGWritingError) {
      return try DNGWriter.write(
        frame,
        keeping: original,
        settings: DNGOutputSettings(step.settings, originalFileName: inputName),
        previews: previews,
        isDemosaiced: isDemosaiced,
        scheduler: scheduler
      )
    } catch {
      throw .write(error, outputID: step.id)
    }
  }

  private func put(
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

extension DNGOutputSettings {
  init(_ settings: OutputSpecification.DNGSettings, originalFileName: String?) {
    let bitDepth: BitDepth =
      switch settings.bitDepth {
      case .source: .source
      case .integer(let bits): .integer(bits)
      case .float16: .float16
      case .float32: .float32
      }
    let curve: Curve =
      switch settings.curve {
      case .source: .source
      case .squareRoot: .squareRoot
      case .linear: .linear
      }
    let compression: Compression =
      switch settings.compression {
      case .losslessJPEG: .losslessJPEG
      case .none: .none
      case .deflate: .deflate
      case .jpegXL: .jpegXL
      case .lossyJPEG: .lossyJPEG
      }
    self.init(
      compression: compression,
      bitDepth: bitDepth,
      curve: curve,
      quality: settings.quality,
      software: "rawmill \(EngineInformation.version)",
      originalFileName: originalFileName
    )
  }
}
