internal import DNGFormat
internal import Develop
internal import Recipe

/// In which order outputs are encoded, and from which picture.
///
/// Statistics come first, then linear pictures and DNGs, because they need the raw samples. Then outputs of 16 bits,
/// because their picture is
/// the larger one and is gone then; HEIC comes last, because its encoder needs the most memory.
struct OutputPlan {
  /// One output of a developed picture, in the order of encoding.
  struct Step {
    /// The place of its file among the recipe's.
    var index: Int
    var output: OutputSpecification
    /// The picture that it is made from.
    var depth: PictureDepth
    /// Whether no later step needs the same picture.
    var isLast: Bool
  }

  /// One DNG.
  struct RawStep {
    /// The place of its file among the recipe's.
    var index: Int
    var id: String
    var settings: OutputSpecification.DNGSettings
  }

  /// One linear picture.
  struct LinearStep {
    /// The place of its file among the recipe's.
    var index: Int
    /// The place of its record's.
    var recordIndex: Int
    var id: String
    var recordID: String
    var settings: OutputSpecification.LinearSettings
  }

  let linearSteps: [LinearStep]

  /// One output of statistics.
  struct StatisticsStep {
    /// The place of its file among the recipe's.
    var index: Int
    var id: String
    var settings: OutputSpecification.StatisticsSettings
  }

  let statisticsSteps: [StatisticsStep]
  let rawSteps: [RawStep]
  let steps: [Step]

  init(_ recipe: Recipe) {
    var statistics: [StatisticsStep] = []
    var raws: [RawStep] = []
    var linears: [LinearStep] = []
    let files = recipe.files
    var pictures: [(offset: Int, output: OutputSpecification, depth: PictureDepth)] = []
    for (offset, file) in files.enumerated() where file.isPrincipal {
      let output = recipe.outputs[file.outputIndex]
      switch output.format {
      case .dng(let settings):
        raws.append(RawStep(index: offset, id: output.id, settings: settings))
      case .linear(let settings):
        // The record follows its picture.
        linears.append(
          LinearStep(
            index: offset,
            recordIndex: offset + 1,
            id: output.id,
            recordID: files[offset + 1].id,
            settings: settings
          )
        )
      case .statistics(let settings):
        statistics.append(StatisticsStep(index: offset, id: output.id, settings: settings))
      case .heic: pictures.append((offset, output, .eight))
      case .tiff(let settings):
        pictures.append((offset, output, settings.bitDepth > 8 ? .sixteen : .eight))
      }
    }
    let ordered = pictures.sorted { left, right in
      (Self.rank(left.output), left.offset) < (Self.rank(right.output), right.offset)
    }
    linearSteps = linears
    statisticsSteps = statistics
    rawSteps = raws
    steps = ordered.enumerated().map { place, entry in
      let isLast = !ordered.dropFirst(place + 1).contains { $0.depth == entry.depth }
      return Step(index: entry.offset, output: entry.output, depth: entry.depth, isLast: isLast)
    }
  }

  /// Whether an output is made by the recipe's adjustments.
  var isDeveloped: Bool {
    !depths.isEmpty || !linearSteps.isEmpty
      || statisticsSteps.contains { $0.settings.areaHistogram != nil }
  }

  /// The planes that the development has to make; none where no picture to be seen is written.
  var depths: Set<PictureDepth> {
    Set(steps.map(\.depth)).union(rawSteps.contains { $0.settings.needsPicture } ? [.eight] : [])
  }

  /// How much of the raw must be understood: all of it but where its samples are only stored anew.
  var use: RawUse {
    let isStored = steps.isEmpty && linearSteps.isEmpty && statisticsSteps.isEmpty
    return isStored && rawSteps.allSatisfy { !$0.settings.linear && !$0.settings.needsPicture }
      ? .storage : .development
  }

  /// Whether an output may be a copy of the source.
  var keepsSmaller: Bool { rawSteps.contains { $0.settings.keepSmaller } }

  /// The outputs' ids in the order of encoding.
  var ids: [String] {
    statisticsSteps.map(\.id) + linearSteps.map(\.id) + rawSteps.map(\.id)
      + steps.map(\.output.id)
  }

  private static func rank(_ output: OutputSpecification) -> Int {
    switch output.format {
    case .dng, .linear, .statistics: 0
    case .tiff(let settings): settings.bitDepth > 8 ? 0 : 1
    case .heic: 2
    }
  }
}
