package import Raster

/// The frame header of a JPEG of any process (ITU-T T.81 B.2.2): what the stream holds, without
/// decoding it.
package struct JPEGFrameHeader: Equatable, Sendable {
  /// The second byte of the SOF marker: 0xC0 baseline, 0xC1 extended, 0xC2 progressive, 0xC3 lossless.
  package let marker: UInt8
  /// Bits of a sample.
  package let precision: Int
  package let size: PixelSize
  package let components: Int

  /// Whether samples are coded by the discrete cosine transform.
  package var isLossy: Bool { ![0xC3, 0xC7, 0xCB, 0xCF].contains(marker) }

  /// Finds the frame header of the stream in `range` of `bytes`.
  ///
  /// - Throws: `noStartOfImage`, `noFrame`.
  package init(_ bytes: [UInt8], range: Range<Int>) throws(JPEGError) {
    var position = range.lowerBound
    let end = range.upperBound
    guard range.count >= 2, bytes[position] == 0xFF, bytes[position + 1] == 0xD8 else {
      throw .noStartOfImage
    }
    position += 2
    while true {
      guard position < end, bytes[position] == 0xFF else { throw .noFrame }
      // Any number of 0xFF may stand before a marker (B.1.1.2).
      while position < end, bytes[position] == 0xFF { position += 1 }
      guard end - position >= 3 else { throw .noFrame }
      let marker = bytes[position]
      let length = Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
      guard length >= 2, end - (position + 1) >= length else { throw .noFrame }
      let content = position + 3
      switch marker {
      case 0xC4, 0xC8, 0xCC: break
      case 0xC0...0xCF:
        guard length >= 8 else { throw .noFrame }
        self.marker = marker
        precision = Int(bytes[content])
        size = PixelSize(
          width: Int(bytes[content + 3]) << 8 | Int(bytes[content + 4]),
          height: Int(bytes[content + 1]) << 8 | Int(bytes[content + 2])
        )
        components = Int(bytes[content + 5])
        return
      case 0xD0...0xDA, 0x01, 0x00: throw .noFrame
      default: break
      }
      position += 1 + length
    }
  }
}
