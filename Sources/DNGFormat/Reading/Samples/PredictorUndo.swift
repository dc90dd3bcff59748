internal import TIFFContainer

/// Turns the differences in a row's bytes back into samples.
struct PredictorUndo {
  let predictor: DNGPredictor
  /// Bytes of a sample.
  let sampleSize: Int
  let samplesPerPixel: Int
  let byteOrder: TIFFByteOrder

  /// The byte order of the samples afterwards: floating-point prediction stores high bytes first in
  /// every file.
  var order: TIFFByteOrder {
    if case .floatingPoint = predictor { .bigEndian } else { byteOrder }
  }

  /// Restores one row in place.
  ///
  /// - Parameters:
  ///   - row: Where it stands in `bytes`: a whole number of samples.
  ///   - bytes: The tile's.
  ///   - scratch: At least as long as the row; what stands there is lost.
  func restore(_ row: Range<Int>, of bytes: inout [UInt8], scratch: inout [UInt8]) {
    switch predictor {
    case .none: return
    case .horizontal(let distance):
      let step = distance * samplesPerPixel
      switch sampleSize {
      case 1: sumBytes(row, &bytes, step: step)
      case 2: sumPairs(row, &bytes, step: step)
      default: sumQuads(row, &bytes, step: step)
      }
    case .floatingPoint(let distance):
      sumBytes(row, &bytes, step: distance * samplesPerPixel)
      gather(row, &bytes, &scratch)
    }
  }

  private func sumBytes(_ row: Range<Int>, _ bytes: inout [UInt8], step: Int) {
    var span = bytes.mutableSpan
    for index in row.dropFirst(step) { span[index] &+= span[index - step] }
  }

  private func sumPairs(_ row: Range<Int>, _ bytes: inout [UInt8], step: Int) {
    var span = bytes.mutableSpan
    let (low, high) = byteOrder == .littleEndian ? (0, 1) : (1, 0)
    for index in stride(from: row.lowerBound + 2 * step, to: row.upperBound - 1, by: 2) {
      let left = index - 2 * step
      let before = UInt16(span[left + low]) | UInt16(span[left + high]) << 8
      let sum = (UInt16(span[index + low]) | UInt16(span[index + high]) << 8) &+ before
      span[index + low] = UInt8(truncatingIfNeeded: sum)
      span[index + high] = UInt8(truncatingIfNeeded: sum >> 8)
    }
  }

  private func sumQuads(_ row: Range<Int>, _ bytes: inout [UInt8], step: Int) {
    var span = bytes.mutableSpan
    for index in stride(from: row.lowerBound + 4 * step, to: row.upperBound - 3, by: 4) {
      var carry: UInt16 = 0
      for byte in 0..<4 {
        let position = index + (byteOrder == .littleEndian ? byte : 3 - byte)
        carry += UInt16(span[position]) + UInt16(span[position - 4 * step])
        span[position] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
    }
  }

  /// Brings the bytes of each sample together, highest first.
  private func gather(_ row: Range<Int>, _ bytes: inout [UInt8], _ scratch: inout [UInt8]) {
    let count = row.count / sampleSize
    var span = bytes.mutableSpan
    var apart = scratch.mutableSpan
    for index in 0..<row.count { apart[index] = span[row.lowerBound + index] }
    for byte in 0..<sampleSize {
      for index in 0..<count {
        span[row.lowerBound + index * sampleSize + byte] = apart[byte * count + index]
      }
    }
  }
}
