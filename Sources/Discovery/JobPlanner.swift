package import FileSystem
package import JobModel
package import Recipe
internal import Rendering

/// Turns inputs into jobs: where the outputs go, and what makes two jobs the same.
package struct JobPlanner: Sendable {
  private let plan: @Sendable (FoundFile) -> InputPlan
  private let placement: OutputPlacement
  private let roots: RootMap

  package init(recipe: Recipe, placement: OutputPlacement, roots: RootMap = RootMap()) {
    let plan = InputPlan(recipe: recipe)
    self.init(placement: placement, roots: roots) { _ in plan }
  }

  /// Plans with a recipe for each input.
  package init(
    placement: OutputPlacement,
    roots: RootMap = RootMap(),
    plan: @escaping @Sendable (FoundFile) -> InputPlan
  ) {
    self.plan = plan
    self.placement = placement
    self.roots = roots
  }

  /// Plans for outputs below `destination`, an absolute folder.
  package init(recipe: Recipe, destination: FilePath, roots: RootMap = RootMap()) {
    self.init(recipe: recipe, placement: .folder(destination), roots: roots)
  }

  /// The absolute output paths of an input, in the order of the recipe's files:
  /// `{destination}/{folder of the input}/{name}{suffix}.{extension}`, or the input's own path where it
  /// is replaced.
  package func outputPaths(of file: FoundFile) -> [FilePath] {
    outputPaths(of: file, plan(file))
  }

  private func outputPaths(of file: FoundFile, _ plan: InputPlan) -> [FilePath] {
    guard case .folder(let destination) = placement else { return [file.path] }
    let folder = destination.appending(file.relativePath.parent).lexicallyNormalized
    return plan.files.map { output in
      folder.appending(component: file.relativePath.stem + Array(output.nameEnding.utf8))
    }
  }

  /// One job for each input, in order.
  ///
  /// - Throws: Where one file would be written twice, or an input overwritten.
  package func jobs(for files: [FoundFile]) throws(DiscoveryError) -> [JobSpecification] {
    let inputs = Set(files.map(\.path))
    var writers: [FilePath: FilePath] = [:]
    var jobs: [JobSpecification] = []
    jobs.reserveCapacity(files.count)
    for file in files {
      let plan = plan(file)
      let paths = outputPaths(of: file, plan)
      try refuseTwins(paths, plan)
      let kept = placement.keptPath(of: file)
      for path in paths + [kept].compactMap({ $0 }) {
        let isItself = placement.replaces && path == file.path && path != kept
        if inputs.contains(path), !isItself { throw .outputIsInput(path) }
        if let other = writers.updateValue(file.path, forKey: path) {
          throw .outputCollision(output: path, first: other, second: file.path)
        }
      }
      let input = InputFile(
        location: roots.location(of: file.path),
        size: file.status.size,
        modificationNanoseconds: file.status.mtimeNanoseconds
      )
      let outputs = zip(plan.files, paths).map { output, path in
        PlannedOutput(id: output.id, location: roots.location(of: path))
      }
      jobs.append(
        JobSpecification(
          key: DedupeKey(
            input: input,
            resolvedRecipe: plan.digest,
            pixelVersion: PixelVersion.current,
            outputs: outputs
          ),
          input: input,
          recipe: plan.digest,
          priority: plan.priority,
          outputs: outputs,
          replacement: placement.replaces
            ? ReplacementPlan(kept: kept.map { roots.location(of: $0) }) : nil
        )
      )
    }
    return jobs
  }

  /// Two outputs of one recipe with one name.
  private func refuseTwins(_ paths: [FilePath], _ plan: InputPlan) throws(DiscoveryError) {
    var seen: [FilePath: String] = [:]
    for (output, path) in zip(plan.files, paths) {
      if let other = seen.updateValue(output.id, forKey: path) {
        throw .outputsOfRecipeCollide(output: path, first: other, second: output.id)
      }
    }
  }
}
