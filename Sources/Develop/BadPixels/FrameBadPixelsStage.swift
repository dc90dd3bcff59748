internal import Raster
internal import RawModel

/// FixBadPixelsConstant and FixBadPixelsList of OpcodeList1: bad photosites of the stored frame are patched.
///
/// See `BadPixelPatch`. A photosite without a good one of its colour within reach stays as it is (as in the
/// masked border of a sensor whose bad pixels are marked with 0). DNG 1.7.1 chapter 7, "FixBadPixelsConstant",
/// "FixBadPixelsList". Version 1.
struct FrameBadPixelsStage: FrameStage {
  static let name = "fixBadPixels"

  private enum Source: Sendable {
    case constant(UInt32)
    case mask(BadPixelMask)
  }

  private let source: Source
  private let patch: BadPixelPatch

  init(_ opcode: FixBadPixelsConstant) {
    source = .constant(opcode.constant)
    patch = BadPixelPatch(bayerPhase: opcode.bayerPhase)
  }

  /// Nil for a list that names nothing within the image.
  init?(_ opcode: FixBadPixelsList, size: PixelSize) {
    let mask = BadPixelMask(opcode, size: size)
    guard !mask.isEmpty else { return nil }
    source = .mask(mask)
    patch = BadPixelPatch(bayerPhase: opcode.bayerPhase)
  }

  func apply(
    _ samples: inout StoredSamples,
    description: RawDescription,
    scheduler: TileScheduler
  ) throws(RasterError) {
    switch consume samples {
    case .uint16(var plane):
      apply(&plane) { value in
        if case .constant(let constant) = source { UInt32(value) == constant } else { false }
      } from: {
        UInt16(($0 + 0.5).rounded(.down))
      } to: {
        Double($0)
      }
      samples = .uint16(plane)
    case .uint32(var plane):
      apply(&plane) { value in
        if case .constant(let constant) = source { value == constant } else { false }
      } from: {
        UInt32(($0 + 0.5).rounded(.down))
      } to: {
        Double($0)
      }
      samples = .uint32(plane)
    case .float32(var plane):
      apply(&plane) { value in
        if case .constant(let constant) = source { value == Float(constant) } else { false }
      } from: {
        Float($0)
      } to: {
        Double($0)
      }
      samples = .float32(plane)
    }
  }

  /// Patches in place: only good samples are read, and none of them changes.
  private func apply<Sample: BitwiseCopyable>(
    _ plane: inout Plane<Sample>,
    isBad: (Sample) -> Bool,
    from: (Double) -> Sample,
    to double: (Sample) -> Double
  ) {
    let mask: BadPixelMask
    switch source {
    case .mask(let listed): mask = listed
    case .constant: mask = Self.mask(of: plane, isBad: isBad)
    }
    guard !mask.isEmpty else { return }
    for y in 0..<plane.height where mask.hasBad(inRow: y) {
      var patched: [(x: Int, value: Sample)] = []
      mask.forEachBad(inRow: y) { x in
        let value = patch.value(x: x, y: y) {
          mask.isGood(x: $0, y: $1)
        } sample: { sampleX, sampleY in
          plane.withRow(sampleY) { double($0[sampleX]) }
        }
        if let value { patched.append((x, from(value))) }
      }
      plane.withMutableRow(y) { row in
        for (x, value) in patched { row[x] = value }
      }
    }
  }

  private static func mask<Sample: BitwiseCopyable>(
    of plane: borrowing Plane<Sample>,
    isBad: (Sample) -> Bool
  ) -> BadPixelMask {
    var mask = BadPixelMask(size: PixelSize(width: plane.width, height: plane.height))
    for y in 0..<plane.height {
      plane.withRow(y) { row in
        for x in row.indices where isBad(row[x]) { mask.insert(x: x, y: y) }
      }
    }
    return mask
  }
}
