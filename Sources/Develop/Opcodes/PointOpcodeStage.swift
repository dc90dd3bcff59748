internal import Raster
internal import RawModel

/// An opcode on single samples, in whichever list it stands.
///
/// List 1: stored samples, clipped to their type's range (floating point is not clipped). List 2: linear
/// samples before white balance, clipped to 0...1. List 3: balanced colours, taken back to camera colours
/// for the opcode; clipped to 0...1 too. Where highlights are rebuilt, results are clipped at 0 alone, and what is `k` times
/// above white becomes `k` times what white becomes: opcodes are for values up to 1 and may bend back beyond.
struct PointOpcodeStage<Opcode: PointOpcode>: FrameStage, LineStage, PixelStage {
  static var name: String { Opcode.name }
  static var version: Int { Opcode.version }

  private let opcode: Opcode
  private let region: Region
  /// Whether colours above white are rebuilt highlights, which stay above it.
  private let keepsHighlights: Bool
  /// Of the colours, and one over it.
  private let gains: [Float]
  private let inverseGains: [Float]
  private let samplesPerPixel: Int

  init(_ opcode: Opcode, list: Int, _ context: StageContext) {
    self.opcode = opcode
    region = opcode.area.region(in: OpcodeStages.imageSize(list: list, context))
    keepsHighlights = list == 3 && context.settings.isHighlightRecoveryEnabled
    gains = (0..<3).map { Float(context.gains[$0]) }
    inverseGains = (0..<3).map { Float(1 / context.gains[$0]) }
    samplesPerPixel = context.description.layout.samplesPerPixel
  }

  func apply(
    _ samples: inout StoredSamples,
    description: RawDescription,
    scheduler: TileScheduler
  ) throws(RasterError) {
    let opcode = opcode
    FrameSamples.replace(
      &samples,
      area: opcode.area,
      region: region,
      samplesPerPixel: description.layout.samplesPerPixel,
      scheduler: scheduler
    ) { value, white, x, y, _ in opcode.change(value, white: white, x: x, y: y) }
  }

  func apply(_ line: SampleLine) {
    guard opcode.area.contains(plane: line.sample) else { return }
    let x = line.columns.lowerBound
    let count = line.columns.count
    for (row, offset) in [(line.even, 0), (line.odd, 1)] {
      SampleRuns.forEach(
        row,
        indices: line.start..<(line.start + (count + 1 - offset) / 2),
        x: x + offset,
        step: 2,
        y: line.y,
        area: opcode.area,
        region: region
      ) { run in opcode.change(run, limit: 1) }
    }
  }

  var scratchRowCount: Int { keepsHighlights ? 1 : 0 }

  func apply(_ row: PixelRow) {
    for color in 0..<3 where opcode.area.contains(plane: min(color, samplesPerPixel - 1)) {
      SampleRuns.forEach(row, color, area: opcode.area, region: region) { run in
        let inverse = Lanes(repeating: inverseGains[color])
        let gain = Lanes(repeating: gains[color])
        guard keepsHighlights else {
          run.replace { value, _ in value * inverse }
          opcode.change(run, limit: 1)
          run.replace { value, _ in value * gain }
          return
        }
        let one = Lanes(repeating: 1)
        // How far above white each sample is, and the sample within the range that the opcode is for.
        run.replace { value, index in
          let camera = value * inverse
          row.scratch.row(0)[lanes: index] = camera.maximum(one)
          return camera.minimum(one)
        }
        opcode.change(run, limit: .greatestFiniteMagnitude)
        run.replace { value, index in value * gain * row.scratch.row(0)[lanes: index] }
      }
    }
  }
}
