import Diagnostics
import Discovery
import FileSystem
import JobModel
import Recipe
import TestSupport
import Testing

@Suite struct JobPlannerTests {
  private let heic = OutputSpecification(id: "heic", format: .heic(.init()))
  private let web = OutputSpecification(id: "heic2", suffix: "_web", format: .heic(.init()))
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func file(_ relative: String) throws -> FoundFile {
    let path = try folder.write([1, 2, 3], to: "in/" + relative)
    return FoundFile(
      path: path,
      relativePath: FilePath(relative),
      status: try path.status(),
      isNamed: false
    )
  }

  private func planner(
    _ outputs: [OutputSpecification],
    roots: RootMap = RootMap()
  ) -> JobPlanner {
    JobPlanner(
      recipe: Recipe(outputs: outputs),
      destination: folder.path("out"),
      roots: roots
    )
  }

  @Test func outputsKeepTheFoldersOfTheirInputs() throws {
    let planner = planner([heic, web])
    #expect(
      planner.outputPaths(of: try file("day1/a.b.DNG")) == [
        folder.path("out/day1/a.b.heic"), folder.path("out/day1/a.b_web.heic"),
      ]
    )
    #expect(planner.outputPaths(of: try file("c")).first == folder.path("out/c.heic"))
  }

  @Test func jobsNameInputAndOutputsByRoot() throws {
    let roots = RootMap(["shoot": folder.path("in")])
    let input = try file("day1/a.dng")
    let job = try #require(try planner([heic], roots: roots).jobs(for: [input]).first)
    #expect(job.input.location == FileLocation(root: "shoot", path: "day1/a.dng"))
    #expect(job.input.size == 3)
    #expect(job.input.modificationNanoseconds == input.status.mtimeNanoseconds)
    #expect(job.outputs.map(\.id) == ["heic"])
    #expect(roots.path(of: job.outputs[0].location) == folder.path("out/day1/a.heic"))
  }

  @Test func theKeyIsThatOfTheSameWork() throws {
    let input = try file("a.dng")
    func key(_ planner: JobPlanner) throws -> DedupeKey {
      try #require(try planner.jobs(for: [input]).first).key
    }
    #expect(try key(planner([heic])) == key(planner([heic])))
    #expect(try key(planner([heic])) != key(planner([heic, web])))
    var brighter = Recipe(outputs: [heic])
    brighter.develop.exposure = 1
    let other = JobPlanner(recipe: brighter, destination: folder.path("out"))
    #expect(try key(planner([heic])) != key(other))
  }

  @Test func twoInputsOfOneNameAreRefusedByName() throws {
    let first = try file("a.dng")
    let second = try file("a.nef")
    #expect(
      throws: DiscoveryError.outputCollision(
        output: folder.path("out/a.heic"),
        first: first.path,
        second: second.path
      )
    ) { try planner([heic]).jobs(for: [first, second]) }
    // In another folder they are apart.
    #expect(try planner([heic]).jobs(for: [first, file("b/a.nef")]).count == 2)
  }

  @Test func twoOutputsOfOneNameAreRefused() throws {
    let twin = OutputSpecification(id: "twin", format: .heic(.init()))
    let input = try file("a.dng")
    #expect(
      throws: DiscoveryError.outputsOfRecipeCollide(
        output: folder.path("out/a.heic"),
        first: "heic",
        second: "twin"
      )
    ) { try planner([heic, twin]).jobs(for: [input]) }
  }

  @Test func anInputIsNeverAnOutput() throws {
    let input = try file("a.heic")
    let planner = JobPlanner(recipe: Recipe(outputs: [heic]), destination: folder.path("in"))
    #expect(throws: DiscoveryError.outputIsInput(input.path)) { try planner.jobs(for: [input]) }
  }

  @Test(
    arguments: [
      (.outputCollision(output: "/o", first: "/a", second: "/b"), "outputCollision"),
      (.outputsOfRecipeCollide(output: "/o", first: "a", second: "b"), "outputsOfRecipeCollide"),
      (.outputIsInput("/o"), "outputIsInput"),
    ] as [(DiscoveryError, ErrorCode)]
  )
  func errors(error: DiscoveryError, code: ErrorCode) {
    #expect(error.code == code)
    #expect(error.disposition == .permanent)
    #expect(error.message.contains("/o"))
  }

  @Test func inPlaceTheOutputIsTheInputAndTheOriginalIsKept() throws {
    let dng = OutputSpecification(id: "dng", format: .tiff(.init()))
    let roots = RootMap(["shoot": folder.path("in"), "old": folder.path("old")])
    let planner = JobPlanner(
      recipe: Recipe(outputs: [dng]),
      placement: .inPlace(originals: folder.path("old")),
      roots: roots
    )
    let files = [try file("day1/a.dng"), try file("day2/a.dng")]
    let jobs = try planner.jobs(for: files)
    #expect(jobs.map { $0.outputs[0].location } == jobs.map(\.input.location))
    #expect(
      jobs.map(\.replacement) == [
        ReplacementPlan(kept: FileLocation(root: "old", path: "day1/a.dng")),
        ReplacementPlan(kept: FileLocation(root: "old", path: "day2/a.dng")),
      ]
    )
    let deleting = JobPlanner(
      recipe: Recipe(outputs: [dng]),
      placement: .inPlace(originals: nil),
      roots: roots
    )
    #expect(
      try deleting.jobs(for: files).map(\.replacement) == [.init(kept: nil), .init(kept: nil)]
    )
    // What is kept does not decide what the work is.
    #expect(try deleting.jobs(for: files).map(\.key) == jobs.map(\.key))
  }

  @Test func originalsThatWouldMeetAreRefused() throws {
    let dng = OutputSpecification(id: "dng", format: .tiff(.init()))
    let first = try file("a.dng")
    let second = FoundFile(
      path: try folder.write([1], to: "more/a.dng"),
      relativePath: "a.dng",
      status: first.status,
      isNamed: false
    )
    let recipe = Recipe(outputs: [dng])
    let apart = JobPlanner(recipe: recipe, placement: .inPlace(originals: folder.path("old")))
    #expect(throws: DiscoveryError.self) { try apart.jobs(for: [first, second]) }
    // Nor can an original be kept where it stands.
    let same = JobPlanner(recipe: recipe, placement: .inPlace(originals: folder.path("in")))
    #expect(throws: DiscoveryError.self) { try same.jobs(for: [first]) }
  }
}
