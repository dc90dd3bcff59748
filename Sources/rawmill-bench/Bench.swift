/// One thing that is measured.
struct Bench: Sendable {
  /// What a run did, where it isn't pixels.
  struct Operations {
    /// Jobs that a run moved through the queue.
    var jobs: Int
    /// How long each request took.
    var latencies: [Duration]
  }

  /// A bench with its input loaded.
  struct Prepared {
    /// Megapixels of one run; nil for benches of the queue.
    var megapixels: Double?
    /// One run; its result is nil for benches of pixels.
    var run: () throws -> Operations?

    /// A bench of pixels.
    init(megapixels: Double, run: @escaping () throws -> Void) {
      self.megapixels = megapixels
      self.run = {
        try run()
        return nil
      }
    }

    /// A bench of the queue.
    init(run: @escaping () throws -> Operations) {
      self.run = run
    }
  }

  /// `module.kernel` as reports and comparisons name it.
  let name: String
  /// What one run does.
  let summary: String
  /// Whether it works on a raw file.
  var readsRaw = true
  /// Loads what the runs need, outside the measured time.
  let prepare: @Sendable (BenchInput) throws -> Prepared

  /// All benches, in the order in which a run without names takes them.
  static let all: [Bench] =
    [
      .dngDecode, .dngEncodeLosslessJPEG, .dngRecompress, .dngRecompressDigests, .developDemosaic,
      .developFull, .developDetail, .developDraft, .heicEncode, .renderHEIC, .statisticsRaw,
      .queueClaimComplete1, .queueClaimComplete10, .queueClaimComplete100, .queueEnqueue,
    ] + queueClaims
}
