internal import Digest
internal import Discovery
internal import FileSystem
internal import JobModel
internal import Recipe
internal import ServiceRuntime

/// What a caller wants submitted, checked as far as that goes without a database.
struct SubmissionRequest: Sendable {
  let sources: [InputSource]
  let recipe: Recipe
  let roots: RootMap
  let placement: OutputPlacement
  /// The folder that is written to, as it was written; empty where no original is kept.
  let folderName: String
  /// The folder below which the paths of a list's outputs begin.
  let base: FilePath
  private let entries: [InputEntry]
  private let overrides: RecipeOverrides
  private let entryPlans: [InputPlan]
  private let order: SubmissionOrder
  private let arguments: ParsedArguments

  /// Where to look for what was written, in words; empty where that is the inputs' own place.
  var placeText: String {
    switch placement {
    case .folder: "the outputs are in \(folderName)"
    case .inPlace(nil): ""
    case .inPlace: "the originals are in \(folderName)"
    }
  }

  /// Reads the arguments of `run` and `submit`.
  init(_ arguments: ParsedArguments) throws(ProgramError) {
    self.arguments = arguments
    recipe = try RecipeSource.load(arguments[CommonOptions.recipe]).recipe
    roots = try RootOptions.map(arguments)
    (placement, folderName) = try PlacementOptions.placement(arguments, recipe)
    let base = arguments[InputOptions.base] ?? "."
    self.base = try wrappingFiles { () throws(SystemError) in try base.absolute() }
    order = arguments[InputOptions.order] ?? .name
    entries = try InputOptions.entries(arguments)
    sources = try InputOptions.sources(arguments, entries)
    var overrides = RecipeOverrides(recipe)
    let list = (arguments[InputOptions.jsonLines]).map { InputOptions.name($0) } ?? ""
    var plans: [InputPlan] = []
    plans.reserveCapacity(entries.count)
    for entry in entries {
      if placement.replaces, entry.recipe != nil || entry.output != nil || entry.name != nil {
        throw .usage(
          .conflict("\(list):\(entry.line): --replace takes one recipe and the inputs' own names.")
        )
      }
      plans.append(try overrides.plan(for: entry, of: list))
    }
    entryPlans = plans
    self.overrides = overrides
  }

  /// What people know the batch by, unless the call says otherwise.
  private var batchName: String {
    guard placement.replaces else { return folderName }
    switch sources.first {
    case .path(let path), .listed(let path, _): return "replace \(path)"
    case .pattern(let pattern): return "replace \(pattern.text)"
    case nil: return "replace"
    }
  }

  /// The batch that is made.
  func specification(_ policy: RetryPolicy) -> BatchSpecification {
    BatchOptions.specification(arguments, name: batchName, policy)
  }

  /// The records of the recipes with these digests.
  func recipeRecords(for digests: Set<SHA256Digest>) -> [RecipeRecord] {
    overrides.records(for: digests)
  }

  /// A file with the name for its outputs that a list gives it.
  func renamed(_ file: FoundFile) -> FoundFile {
    guard let index = file.entry else { return file }
    var file = file
    file.relativePath = entries[index].outputPath(for: file.relativePath)
    return file
  }

  /// What is done with each of some files.
  func plans(for files: [FoundFile]) -> Plans {
    let plans = files.map { file in file.entry.map { entryPlans[$0] } ?? overrides.basePlan }
    let priorities = order.priorities(
      of: zip(files, plans).map { (path: $0.path, priority: $1.priority) }
    )
    var byFile: [Plans.Key: InputPlan] = [:]
    byFile.reserveCapacity(files.count)
    for (file, (plan, priority)) in zip(files, zip(plans, priorities)) {
      var plan = plan
      plan.priority = priority
      byFile[Plans.Key(path: file.path, entry: file.entry)] = plan
    }
    return Plans(byFile: byFile, otherwise: overrides.basePlan)
  }

  /// Plans by file.
  struct Plans: Sendable {
    struct Key: Hashable, Sendable {
      let path: FilePath
      let entry: Int?
    }

    fileprivate let byFile: [Key: InputPlan]
    fileprivate let otherwise: InputPlan

    func plan(for file: FoundFile) -> InputPlan {
      byFile[Key(path: file.path, entry: file.entry)] ?? otherwise
    }
  }
}
