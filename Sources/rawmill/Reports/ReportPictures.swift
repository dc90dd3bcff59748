internal import Diagnostics
internal import FileSystem
internal import JobModel
internal import JobStore
internal import Reporting
internal import ServiceRuntime
internal import Worker

/// Small pictures for a report: of outputs of done jobs, and of inputs of failed ones.
///
/// A child decodes them. What can't be shown is named and costs nothing else; a report is no place to wait
/// in, so that all of them together have ten seconds.
struct ReportPictures {
  private static let longEdge = 240
  /// Files beyond this are not read: 64 megapixels of 8 bits.
  private static let byteLimit: Int64 = 256 << 20
  private static let patience = Duration.seconds(10)

  private let roots: RootMap
  private let reader = ThumbnailReader()
  private let end = SystemInformation.monotonicTime + Self.patience

  init(_ roots: RootMap) {
    self.roots = roots
  }

  /// The pictures of a report's jobs, done ones first, and up to `failed` failed ones.
  func make(
    _ report: BatchReport,
    failed: Int,
    _ store: JobStore
  ) throws(JobStoreError) -> [ReportPicture] {
    let jobs = report.pictured
    let outputs = try store.pictures(of: jobs.map(\.id))
    let byJob = Dictionary(outputs.map { ($0.job, $0) }, uniquingKeysWith: { first, _ in first })
    var pictures: [ReportPicture] = []
    for job in jobs {
      let shown: ReportPicture.Content =
        if let output = byJob[job.id] {
          content(of: output.location, size: output.size)
        } else {
          .missing("its outputs are no pictures for people")
        }
      pictures.append(ReportPicture(name: "\(job.input.location)", content: shown))
    }
    for job in Self.chosen(report.failures, failed) {
      pictures.append(
        ReportPicture(
          name: "\(job.input)",
          failure: job.failure.code.rawValue,
          content: content(of: job.input, size: nil)
        )
      )
    }
    return pictures
  }

  /// Up to `count` failed jobs: of each code the first, then of each the second, and so on.
  private static func chosen(_ failures: [BatchReport.Failures], _ count: Int) -> [FailedJob] {
    var chosen: [FailedJob] = []
    let most = failures.map(\.jobs.count).max() ?? 0
    for index in 0..<most {
      for part in failures where part.jobs.indices.contains(index) && chosen.count < count {
        chosen.append(part.jobs[index])
      }
    }
    return chosen
  }

  private func content(of location: FileLocation, size: Int64?) -> ReportPicture.Content {
    let left = end - SystemInformation.monotonicTime
    guard left > .zero else { return .missing("left out: the others took 10 seconds") }
    do throws(WorkerError) {
      let (file, found) = try open(location)
      if let size, found != size {
        return .missing("it was changed: it has \(found) bytes and was published with \(size)")
      }
      let picture = try reader.read(file, longEdge: Self.longEdge, wallLimit: left)
      return .jpeg(base64: picture.base64, width: picture.width, height: picture.height)
    } catch {
      return .missing(error.message)
    }
  }

  /// A regular file within its root, whatever links lead to it, and its size in bytes.
  private func open(_ location: FileLocation) throws(WorkerError) -> (OpenFile, Int64) {
    guard let folder = roots.folder(of: location.root) else {
      throw .rootNotMounted(root: location.root, folder: nil)
    }
    guard let path = roots.path(of: location) else { throw .pathOutsideRoot(location.path) }
    let file = try InputOpening.open(path)
    let isInside: Bool
    let size: Int64
    do throws(SystemError) {
      let real = try FilePath("/proc/self/fd/\(file.descriptor.rawValue)").resolved()
      isInside = real.relative(to: try folder.resolved()) != nil
      size = try file.descriptor.status().size
    } catch {
      throw .system(error)
    }
    guard isInside else { throw .pathOutsideRoot(path) }
    guard size <= Self.byteLimit else {
      throw .inputTooLarge(path, byteCount: size, limit: Self.byteLimit)
    }
    return (file, size)
  }
}
