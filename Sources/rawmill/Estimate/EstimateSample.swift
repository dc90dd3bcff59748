internal import Discovery
internal import FileSystem
internal import JSON
internal import Recipe
internal import Rendering
internal import Worker

/// One file of an estimate, rendered.
struct EstimateSample {
  var path: FilePath
  var inputBytes: Int64
  /// Of all outputs.
  var outputBytes: Int64
  /// CPU time of rendering and of proving.
  var cpu: Duration

  var json: [(key: String, value: JSONValue)] {
    [
      ("path", .init(path)), ("inputBytes", .init(inputBytes)),
      ("outputBytes", .init(outputBytes)), ("cpuSeconds", .init(cpu / .seconds(1))),
    ]
  }

  /// How many files of a part are tried before it goes without a sample.
  private static let attempts = 8

  /// Files from the smallest to the largest in `count` parts of one size, of each part those that may be
  /// its sample, in the order in which they are tried: from its middle outwards.
  static func candidates(_ files: [FoundFile], count: Int) -> [[FoundFile]] {
    let ordered = files.enumerated().sorted { left, right in
      (left.element.status.size, left.offset) < (right.element.status.size, right.offset)
    }.map(\.element)
    let count = min(count, ordered.count)
    return (0..<count).map { part in
      let range = part * ordered.count / count..<(part + 1) * ordered.count / count
      let middle = (2 * part + 1) * ordered.count / (2 * count)
      let outwards = [middle] + (1...attempts).flatMap { [middle - $0, middle + $0] }
      return outwards.filter(range.contains).prefix(attempts).map { ordered[$0] }
    }
  }

  /// Renders a file into a folder, proves it as a worker would, and removes it.
  static func render(
    _ file: FoundFile,
    _ recipe: Recipe,
    in folder: FilePath,
    _ oneShot: OneShot
  ) throws(WorkerError) -> EstimateSample {
    let targets = recipe.files.enumerated().map { index, output in
      OutputTarget(id: output.id, path: folder.appending(FilePath("\(index)\(output.nameEnding)")))
    }
    defer {
      // The folder goes with all that is in it.
      for target in targets { _ = try? target.path.removeFileIfExists() }
    }
    let rendered = try oneShot.render(
      file.path,
      recipe: recipe.json,
      threads: 1,
      outputs: targets
    )
    var cpu = rendered.cpu
    for (rule, target) in zip(ProofRule.rules(of: recipe), targets) where rule != nil {
      cpu += try oneShot.compare(file.path, target.path, threads: 1).cpu
    }
    return EstimateSample(
      path: file.path,
      inputBytes: file.status.size,
      outputBytes: rendered.outputs.reduce(0) { $0 + $1.size },
      cpu: cpu
    )
  }
}
