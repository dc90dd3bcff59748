internal import Digest
internal import ImageEncoding
package import JSON
package import JobModel
internal import Raster
package import Rendering

extension JobReport {
  /// The output rows of a render: what was planned, what the child says, what was read back.
  package static func outputs(
    job: ClaimedJob,
    report: RenderReport,
    written: [WrittenOutput]
  ) -> [OutputRecord] {
    zip(zip(job.outputs, report.outputs), written).map { pair, file in
      let (planned, rendered) = pair
      return OutputRecord(
        id: planned.id,
        location: planned.location,
        size: file.size,
        sha256: file.sha256,
        width: rendered.size?.width,
        height: rendered.size?.height,
        format: rendered.format.rawValue,
        colorSpace: rendered.colorSpace?.rawValue ?? rendered.linear?.colorSpace,
        bitDepth: rendered.bitDepth
      )
    }
  }

  /// What is committed about a render; the worker's own stages follow the child's.
  package init(
    job: ClaimedJob,
    report: RenderReport,
    settings: JSONValue,
    host: String,
    peakBytes: Int64,
    ownStages: [(String, Duration)]
  ) {
    var stages = report.stages.map { (stage: $0.name, nanoseconds: $0.nanoseconds) }
    stages += ownStages.map { name, duration in
      (stage: name, nanoseconds: Int64(duration / .nanoseconds(1)))
    }
    self.init(
      lease: job.lease,
      provenance: ProvenanceRecord(
        input: job.input,
        inputSHA256: report.inputSHA256,
        recipeDigest: job.recipe.digest,
        resolvedDigest: report.resolvedDigest,
        resolvedSettings: settings,
        pixelVersion: report.pixelVersion,
        engineVersion: report.engineVersion,
        sourceRevision: report.sourceRevision,
        libraryVersions: Dictionary(
          report.libraries.map { ($0.name, $0.version) },
          uniquingKeysWith: { first, _ in first }
        ),
        host: host,
        stageNanoseconds: stages,
        peakMemoryBytes: peakBytes
      ),
      pixels: Int64(report.size.pixelCount),
      outputBytes: report.outputs.reduce(0) { $0 + Int64($1.byteCount) },
      statistics: report.outputs.compactMap { output in
        output.statistics.map { StatisticsRecord(outputID: output.id, rows: $0) }
      }
    )
  }
}
