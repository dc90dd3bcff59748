/// Clips the whole image to the logical range of OpcodeList2: 0 to 1.
///
/// The specification clips the image after each opcode. Opcodes clip the samples that they name; those that the
/// first one doesn't name are clipped once, after it. DNG
/// 1.7.1 chapter 7. Version 1.
struct RangeClipStage: LineStage {
  static let name = "opcodeRangeClip"

  func apply(_ line: SampleLine) {
    let end = line.start + (line.columns.count + 1) / 2
    for row in [line.even, line.odd] {
      // Up to seven samples past the row are clipped too: the mirror, or what no pixel sees.
      for i in stride(from: line.start, to: end, by: 8) {
        row[lanes: i] = row[lanes: i].clamped(0, 1)
      }
    }
  }
}
