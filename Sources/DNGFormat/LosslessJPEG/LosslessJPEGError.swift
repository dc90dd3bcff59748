package import Diagnostics

/// What can be wrong with a lossless JPEG stream (ITU-T T.81, process 14); offsets are in bytes from
/// the stream's start.
package enum LosslessJPEGError: Error, Equatable, Sendable {
  /// The stream doesn't start with SOI.
  case noStartOfImage
  /// The stream ends within a marker segment.
  case truncatedHeader(offset: Int)
  /// Something other than a marker where one must stand.
  case markerExpected(offset: Int)
  /// A marker that can't stand here.
  case unexpectedMarker(Int, offset: Int)
  /// A segment whose length doesn't go with its content.
  case segmentLength(marker: Int, offset: Int)
  /// A frame that is not SOF3: lossy (DCT), arithmetic or hierarchical JPEG.
  case otherProcess(marker: Int)
  /// A field of the frame or scan header with a value that the standard doesn't allow.
  case invalidField(String, value: Int)
  /// The frame doesn't have as many samples as the tile.
  case sampleCount(frame: Int, tile: Int)
  /// A Huffman table with more codes than fit, or with a category over 16.
  case invalidHuffmanTable(Int)
  /// The scan uses a Huffman table that was not defined.
  case missingHuffmanTable(Int)
  /// Bits that are no code of the table.
  case invalidCode(row: Int)
  /// The entropy-coded bits end before the last sample.
  case entropyExhausted(row: Int)
  /// More than the 7 bits of padding are left after the last sample.
  case entropySurplus(bits: Int)
  /// The scan doesn't end in a marker.
  case missingEndMarker
  /// Bytes that are no padding after the end of the image.
  case trailingData(byteCount: Int)
  /// A sample of more bits than the frame's precision.
  case sampleOutOfRange(row: Int, precision: Int)
}

extension LosslessJPEGError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .noStartOfImage: "jpegNoStart"
    case .truncatedHeader: "jpegTruncatedHeader"
    case .markerExpected: "jpegMarkerExpected"
    case .unexpectedMarker: "jpegUnexpectedMarker"
    case .segmentLength: "jpegSegmentLength"
    case .otherProcess: "jpegOtherProcess"
    case .invalidField: "jpegInvalidField"
    case .sampleCount: "jpegSampleCount"
    case .invalidHuffmanTable: "jpegInvalidHuffmanTable"
    case .missingHuffmanTable: "jpegMissingHuffmanTable"
    case .invalidCode: "entropyInvalidCode"
    case .entropyExhausted: "entropyExhausted"
    case .entropySurplus: "entropySurplus"
    case .missingEndMarker: "jpegMissingEnd"
    case .trailingData: "jpegTrailingData"
    case .sampleOutOfRange: "sampleOutOfRange"
    }
  }

  package var message: String {
    switch self {
    case .noStartOfImage:
      "the lossless JPEG does not start with SOI"
    case .truncatedHeader(let offset):
      "the lossless JPEG ends within a marker segment at offset \(offset)"
    case .markerExpected(let offset):
      "the lossless JPEG has no marker at offset \(offset)"
    case .unexpectedMarker(let marker, let offset):
      "the lossless JPEG has the unexpected marker \(Self.text(marker)) at offset \(offset)"
    case .segmentLength(let marker, let offset):
      "the segment \(Self.text(marker)) at offset \(offset) of the lossless JPEG has a wrong length"
    case .otherProcess(let marker):
      "the JPEG is not lossless (frame marker \(Self.text(marker)))"
    case .invalidField(let field, let value):
      "the lossless JPEG has the invalid \(field) \(value)"
    case .sampleCount(let frame, let tile):
      "the lossless JPEG has \(frame) samples, the tile \(tile)"
    case .invalidHuffmanTable(let table):
      "Huffman table \(table) of the lossless JPEG is no prefix code of the categories 0 to 16"
    case .missingHuffmanTable(let table):
      "the lossless JPEG uses Huffman table \(table) without defining it"
    case .invalidCode(let row):
      "row \(row) of the lossless JPEG has bits that are no code of its Huffman table"
    case .entropyExhausted(let row):
      "the lossless JPEG's data ends in row \(row), before the last sample"
    case .entropySurplus(let bits):
      "the lossless JPEG has \(bits) bits left after the last sample (at most 7 are padding)"
    case .missingEndMarker:
      "the lossless JPEG's data ends without a marker"
    case .trailingData(let byteCount):
      "\(byteCount) bytes follow the end of the lossless JPEG"
    case .sampleOutOfRange(let row, let precision):
      "row \(row) of the lossless JPEG has samples of more than the declared \(precision) bits"
    }
  }

  package var disposition: Disposition { .permanent }

  private static func text(_ marker: Int) -> String {
    "0x" + String(marker, radix: 16)
  }
}
