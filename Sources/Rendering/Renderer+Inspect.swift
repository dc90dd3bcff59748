internal import ColorScience
package import DNGFormat
internal import Digest
package import Raster
internal import RawDecoding
internal import RawModel
package import Recipe

extension Renderer {
  /// Says what a file is.
  ///
  /// Any file is an answer, but a DNG whose structure is damaged is an error.
  ///
  /// - Parameters:
  ///   - input: The whole file.
  ///   - computesDigest: Decodes the samples too, for their digest.
  ///   - scheduler: The lanes for that.
  ///   - digestPolicy: What it means that the samples don't have the digest that the file states.
  /// - Returns: The kind of file and, for a DNG, what it holds.
  /// - Throws: `decode` for a damaged DNG; with `computesDigest` also for a file that is no supported raw.
  package static func inspect(
    _ input: [UInt8],
    computesDigest: Bool,
    scheduler: TileScheduler,
    digestPolicy: DigestPolicy = .error
  ) throws(RenderError) -> Inspection {
    var inspection = Inspection(
      byteCount: input.count,
      fileSHA256: SHA256.digest(of: input),
      content: RawContent.classify(input)
    )
    do throws(RawDecodeError) {
      switch inspection.content {
      case .dng:
        inspection.dng = try RawDecoder.inspect(input)
      case .unknown where input.starts(with: [0x49, 0x49]) || input.starts(with: [0x4D, 0x4D]):
        // A TIFF header over something broken: the error says what.
        inspection.dng = try RawDecoder.inspect(input)
      default:
        break
      }
    } catch {
      guard error == .unknownFormat else { throw .decode(error) }
    }
    inspection.warnings = inspection.dng?.warnings ?? []
    if computesDigest {
      let frame = try decode(
        input,
        scheduler: scheduler,
        digestPolicy: digestPolicy,
        use: .storage
      )
      inspection.warnings = frame.description.warnings
      inspection.mosaicSHA256 = RawImageDigest.mosaicSHA256(frame)
    }
    return inspection
  }

  /// Says what a recipe means for a file; its samples are decoded only for a `neutralLocation` and
  /// to say whether a LinearRaw has highlights to rebuild.
  ///
  /// - Parameters:
  ///   - input: The whole file.
  ///   - recipe: A recipe.
  /// - Returns: Every setting with its origin, and the outputs.
  /// - Throws: `decode` for a file that is no supported raw, `develop` for settings that it does not allow.
  package static func explain(
    _ input: [UInt8],
    recipe: Recipe
  ) throws(RenderError) -> Explanation {
    let plan = OutputPlan(recipe)
    let isDeveloped = plan.isDeveloped
    var description: RawDescription
    do throws(RawDecodeError) {
      description = try RawDecoder.describe(input, use: plan.use)
    } catch {
      throw .decode(error)
    }
    let adjustments = recipe.adjustments(for: RuleSubject(description.capture))
    var white: Chromaticity?
    if isDeveloped && adjustments.neutralLocation != nil {
      var frame = try decode(
        input,
        scheduler: TileScheduler(laneCount: 1),
        digestPolicy: .warn
      )
      try useProfile(of: adjustments, in: &frame.description)
      description = frame.description
      white = try pickedWhite(of: adjustments, in: frame)
    } else if isDeveloped {
      try useProfile(of: adjustments, in: &description)
    }
    let resolved = try ResolvedRecipe(
      recipe,
      for: description,
      isDeveloped: isDeveloped,
      pickedWhite: white
    )
    return try Explanation(
      resolved,
      description: description,
      reachesWhite: try reachesWhite(input, description)
    )
  }

  /// Whether there are highlights to rebuild, for which a LinearRaw's samples must be seen; a mosaic's are
  /// not asked.
  private static func reachesWhite(
    _ input: [UInt8],
    _ description: RawDescription
  ) throws(RenderError) -> Bool {
    guard case .linear(let planes) = description.layout, planes > 1 else { return false }
    return try decode(input, scheduler: TileScheduler(laneCount: 1)).reachesWhite()
  }
}
