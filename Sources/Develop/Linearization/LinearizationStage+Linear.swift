internal import RawModel

extension LinearizationStage {
  /// Linear codes to linear samples, in place: one sample of a row, even and odd columns from `start` on.
  ///
  /// The row is `row` of the active area from column `first`, which is even, for `count` columns;
  /// `scale` is one over the range from black to white, `gains` are factors of even and odd columns,
  /// `blacks` is scratch. What is not a number, or absurdly dark, becomes 0.
  func normalize(
    row: Int,
    first: Int,
    count: Int,
    sample: Int,
    scales: (Float, Float),
    gains: (Float, Float),
    even: SampleRow,
    odd: SampleRow,
    start: Int,
    blacks: (even: SampleRow, odd: SampleRow)
  ) {
    let pairs = start..<(start + (count + 1) / 2)
    switch black {
    case .constant(let level):
      let blackEven = Float(level.level(row: row, column: first, sample: sample))
      let blackOdd = Float(level.level(row: row, column: first + 1, sample: sample))
      Self.normalize(even, pairs, Lanes(repeating: blackEven), scales.0, gains.0)
      Self.normalize(odd, pairs, Lanes(repeating: blackOdd), scales.1, gains.1)
    case .varying(let level):
      fillBlacks(level, row: row, first: first, count: count, sample: sample, blacks: blacks)
      Self.normalize(even, pairs, blacks.even, scales.0, gains.0)
      Self.normalize(odd, pairs, blacks.odd, scales.1, gains.1)
    }
  }

  private static func normalize(
    _ row: SampleRow,
    _ range: Range<Int>,
    _ black: Lanes,
    _ scale: Float,
    _ gain: Float
  ) {
    for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      row[lanes: i] = linear((row[lanes: i] - black) * scale) * gain
    }
  }

  private static func normalize(
    _ row: SampleRow,
    _ range: Range<Int>,
    _ blacks: SampleRow,
    _ scale: Float,
    _ gain: Float
  ) {
    for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let black = blacks[lanes: i - range.lowerBound]
      row[lanes: i] = linear((row[lanes: i] - black) * scale) * gain
    }
  }

  /// Clipped at white; no sensor goes farther below black than its whole range.
  @inline(__always)
  private static func linear(_ value: Lanes) -> Lanes {
    Lanes(repeating: 0).replacing(with: value, where: value .> -1)
      .minimum(Lanes(repeating: 1))
  }

  /// Linear codes of one row of a LinearRaw, `planes` samples a pixel, as even and odd columns of each
  /// colour; a single plane gives all three the same.
  func split(
    _ samples: ActiveSamples,
    planes: Int,
    row: Int,
    first: Int,
    count: Int,
    even: [3 of SampleRow],
    odd: [3 of SampleRow],
    start: Int
  ) {
    let index = first * planes
    switch unsafe samples.kind {
    case .uint16:
      let codes = unsafe samples.pointer(UInt16.self, row: row, index: index)
      if let table {
        unsafe table.withUnsafeBufferPointer { table in
          // The table has an entry for every code.
          unsafe split(codes, planes, count, even, odd, start) { unsafe Float(table[Int($0)]) }
        }
      } else {
        unsafe split(codes, planes, count, even, odd, start) { Float($0) }
      }
    case .uint32:
      let codes = unsafe samples.pointer(UInt32.self, row: row, index: index)
      unsafe split(codes, planes, count, even, odd, start) { Float($0) }
    case .float32:
      let codes = unsafe samples.pointer(Float.self, row: row, index: index)
      unsafe split(codes, planes, count, even, odd, start) { $0 }
    }
  }

  @inline(__always)
  private func split<Sample>(
    _ codes: UnsafePointer<Sample>,
    _ planes: Int,
    _ count: Int,
    _ even: [3 of SampleRow],
    _ odd: [3 of SampleRow],
    _ start: Int,
    _ value: (Sample) -> Float
  ) {
    if planes == 3 {
      let (evenRed, evenGreen, evenBlue) = (even[0], even[1], even[2])
      let (oddRed, oddGreen, oddBlue) = (odd[0], odd[1], odd[2])
      for pair in 0..<(count / 2) {
        let pixel = unsafe codes + 6 * pair
        evenRed[start + pair] = unsafe value(pixel[0])
        evenGreen[start + pair] = unsafe value(pixel[1])
        evenBlue[start + pair] = unsafe value(pixel[2])
        oddRed[start + pair] = unsafe value(pixel[3])
        oddGreen[start + pair] = unsafe value(pixel[4])
        oddBlue[start + pair] = unsafe value(pixel[5])
      }
      if count & 1 == 1 {
        let pixel = unsafe codes + 3 * (count - 1)
        evenRed[start + count / 2] = unsafe value(pixel[0])
        evenGreen[start + count / 2] = unsafe value(pixel[1])
        evenBlue[start + count / 2] = unsafe value(pixel[2])
      }
      return
    }
    for color in 0..<3 {
      let sample = min(color, planes - 1)
      let (evenRow, oddRow) = (even[color], odd[color])
      for offset in 0..<count {
        let code = unsafe value(codes[offset * planes + sample])
        if offset & 1 == 0 {
          evenRow[start + offset >> 1] = code
        } else {
          oddRow[start + offset >> 1] = code
        }
      }
    }
  }

  /// Codes of one row of a mosaic that are not 16-bit integers, as even and odd columns.
  func split(
    _ samples: ActiveSamples,
    row: Int,
    first: Int,
    count: Int,
    even: SampleRow,
    odd: SampleRow,
    start: Int
  ) {
    switch unsafe samples.kind {
    case .uint16: preconditionFailure("these have a kernel of their own")
    case .uint32:
      let codes = unsafe samples.pointer(UInt32.self, row: row, index: first)
      for offset in 0..<count {
        let code = unsafe Float(codes[offset])
        if offset & 1 == 0 {
          even[start + offset >> 1] = code
        } else {
          odd[start + offset >> 1] = code
        }
      }
    case .float32:
      let codes = unsafe UnsafeRawPointer(samples.pointer(Float.self, row: row, index: first))
      for offset in stride(from: 0, to: count, by: 16) {
        // A plane goes on for 64 bytes after its last sample.
        let pairs = unsafe codes.loadUnaligned(fromByteOffset: offset * 4, as: SIMD16<Float>.self)
        even[lanes: start + offset / 2] = pairs.evenHalf
        odd[lanes: start + offset / 2] = pairs.oddHalf
      }
    }
  }
}
