internal import Digest
internal import FileSystem
internal import JobModel
internal import PostgresClient

extension PostgresRow {
  func digest(_ column: Int, _ name: String) throws(JobStoreError) -> SHA256Digest {
    let bytes: [UInt8] = try wrapping { () throws(PostgresError) in try self.bytes(column) }
    guard let digest = SHA256Digest(bytes: bytes) else {
      throw .storedValueInvalid(column: name, value: "\(bytes.count) bytes")
    }
    return digest
  }

  /// A location whose root stands in `column` and whose path stands in the next one.
  func location(_ column: Int) throws(PostgresError) -> FileLocation {
    FileLocation(root: try text(column), path: FilePath(bytes: try bytes(column + 1)))
  }

  /// Root, path, size and time from four columns.
  func inputFile(_ column: Int) throws(PostgresError) -> InputFile {
    InputFile(
      location: try location(column),
      size: try int64(column + 2),
      modificationNanoseconds: try int64(column + 3)
    )
  }

  /// Failures, crashes and host faults from three columns.
  func failureCounts(_ column: Int) throws(PostgresError) -> FailureCounts {
    FailureCounts(
      failures: try int(column),
      crashes: try int(column + 1),
      hostFaults: try int(column + 2)
    )
  }

  /// The five columns that `RetryPolicy.columns` names.
  func retryPolicy(_ column: Int) throws(PostgresError) -> RetryPolicy {
    RetryPolicy(
      maximumAttempts: try int(column),
      maximumCrashes: try int(column + 1),
      maximumHostFaults: try optionalInt(column + 2),
      baseDelayMilliseconds: try int64(column + 3),
      maximumDelayMilliseconds: try int64(column + 4)
    )
  }

  /// Identifiers, roots and paths of planned outputs from three array columns.
  func plannedOutputs(_ column: Int) throws(PostgresError) -> [PlannedOutput] {
    let ids = try textArray(column)
    let roots = try textArray(column + 1)
    let paths = try bytesArray(column + 2)
    var outputs: [PlannedOutput] = []
    for (id, (root, path)) in zip(ids, zip(roots, paths)) {
      outputs.append(
        PlannedOutput(id: id, location: FileLocation(root: root, path: FilePath(bytes: path)))
      )
    }
    return outputs
  }

  /// Whether a job replaces its input, and where it keeps it, from three columns.
  func replacementPlan(_ column: Int) throws(PostgresError) -> ReplacementPlan? {
    guard try bool(column) else { return nil }
    return ReplacementPlan(kept: try optionalLocation(column + 1))
  }

  /// A location that may be absent.
  func optionalLocation(_ column: Int) throws(PostgresError) -> FileLocation? {
    guard let root = try optionalText(column), let path = try optionalBytes(column + 1) else {
      return nil
    }
    return FileLocation(root: root, path: FilePath(bytes: path))
  }

  /// The ten columns that `OutputRecord.columns` names.
  func outputRecord(_ column: Int) throws(JobStoreError) -> OutputRecord {
    let sha256 = try digest(column + 4, "output.sha256")
    return try wrapping { () throws(PostgresError) in
      OutputRecord(
        id: try text(column),
        location: try location(column + 1),
        size: try int64(column + 3),
        sha256: sha256,
        width: try optionalInt(column + 5),
        height: try optionalInt(column + 6),
        format: try text(column + 7),
        colorSpace: try optionalText(column + 8),
        bitDepth: try optionalInt(column + 9)
      )
    }
  }
}

extension RetryPolicy {
  /// Columns of `batch b`.
  static let columns =
    "b.maximum_attempts, b.maximum_crashes, b.maximum_host_faults, b.base_delay_ms, b.maximum_delay_ms"
}

extension OutputRecord {
  /// Columns of `output o`.
  static let columns =
    "o.output_id, o.root, o.path, o.size, o.sha256, o.width, o.height, o.format, o.color_space, "
    + "o.bit_depth"
}

extension UUIDValue {
  init(_ token: LeaseToken) {
    self.init(high: token.high, low: token.low)
  }
}

extension LeaseToken {
  init(_ value: UUIDValue) {
    self.init(high: value.high, low: value.low)
  }
}
