package import Raster

/// Rows of a linear picture as they are stored: interleaved, little endian, without gaps.
package struct LinearRows: Sendable {
  /// The bytes of whole rows.
  package private(set) var bytes: [UInt8] = []
  package private(set) var rowCount = 0

  package init() {}

  /// Stores the rows of a plane of interleaved values, rounded to nearest, ties to even.
  ///
  /// - Returns: What did not fit the format.
  package static func storing(
    _ values: borrowing Plane<Float>,
    rows: Range<Int>,
    as format: LinearSampleFormat
  ) -> (rows: LinearRows, counts: LinearSampleCounts) {
    var result = LinearRows()
    var counts = LinearSampleCounts()
    result.rowCount = rows.count
    let rowBytes = values.width * format.byteCount
    result.bytes = [UInt8](repeating: 0, count: rows.count * rowBytes)
    var target = result.bytes.mutableSpan
    for (index, y) in rows.enumerated() {
      values.withRow(y) { row in
        // Bytes of the row alone, which the array has.
        unsafe target.withUnsafeMutableBytes { buffer in
          let place = unsafe UnsafeMutableRawBufferPointer(
            rebasing: buffer[index * rowBytes..<(index + 1) * rowBytes]
          )
          switch format {
          case .float32: unsafe counts.storeSingle(row, place)
          case .float16: unsafe counts.storeHalf(row, place)
          case .uint16(let step): unsafe counts.storeCodes(row, step, place)
          }
        }
      }
    }
    return (result, counts)
  }
}

/// How many samples of a linear picture are out of the ordinary, as they were before they were stored.
package struct LinearSampleCounts: Equatable, Sendable {
  /// Below 0.
  package var negative = 0
  /// Not a number, or infinite.
  package var notFinite = 0
  /// Below what the format holds: stored as its smallest value.
  package var belowRange = 0
  /// Above what the format holds: stored as its largest value.
  package var aboveRange = 0

  package init() {}

  package static func += (left: inout LinearSampleCounts, right: LinearSampleCounts) {
    left.negative += right.negative
    left.notFinite += right.notFinite
    left.belowRange += right.belowRange
    left.aboveRange += right.aboveRange
  }

  private mutating func count(_ value: Float) {
    if value < 0 { negative += 1 }
    if !value.isFinite { notFinite += 1 }
  }

  @unsafe
  fileprivate mutating func storeSingle(_ row: Span<Float>, _ bytes: UnsafeMutableRawBufferPointer)
  {
    for x in row.indices {
      count(row[x])
      unsafe bytes.storeBytes(
        of: row[x].bitPattern.littleEndian,
        toByteOffset: 4 * x,
        as: UInt32.self
      )
    }
  }

  @unsafe
  fileprivate mutating func storeHalf(_ row: Span<Float>, _ bytes: UnsafeMutableRawBufferPointer) {
    // Values that would round to infinity.
    let limit: Float = 65_504
    for x in row.indices {
      var value = row[x]
      count(value)
      if value > limit {
        aboveRange += 1
        value = limit
      } else if value < -limit {
        belowRange += 1
        value = -limit
      }
      unsafe bytes.storeBytes(
        of: Float16(value).bitPattern.littleEndian,
        toByteOffset: 2 * x,
        as: UInt16.self
      )
    }
  }

  @unsafe
  fileprivate mutating func storeCodes(
    _ row: Span<Float>,
    _ step: Double,
    _ bytes: UnsafeMutableRawBufferPointer
  ) {
    for x in row.indices {
      count(row[x])
      let code = (Double(row[x]) / step).rounded(.toNearestOrEven)
      var stored: UInt16 = 0
      if code > 65_535 {
        aboveRange += 1
        stored = 65_535
      } else if code >= 0 {
        stored = UInt16(code)
      } else if code < 0 {
        belowRange += 1
      }
      unsafe bytes.storeBytes(of: stored.littleEndian, toByteOffset: 2 * x, as: UInt16.self)
    }
  }
}
