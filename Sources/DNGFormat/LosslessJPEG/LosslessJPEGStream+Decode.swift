extension LosslessJPEGStream {
  /// Decodes the whole frame, with any predictor and restart intervals, into the buffers' samples in
  /// the frame's own shape.
  ///
  /// - Throws: `LosslessJPEGError` for damaged data.
  mutating func decodeFrame() throws(LosslessJPEGError) {
    let shape = header.shape
    buffers.reserveSamples(shape.sampleCount)
    var reader = self.reader
    var isFirstLine = true
    for row in 0..<shape.rows {
      if header.restartRows > 0, row > 0, row % header.restartRows == 0 {
        try checkEnd(reader, row: row - 1)
        try restart(row / header.restartRows - 1)
        reader = self.reader
        isFirstLine = true
      }
      let predictor = isFirstLine ? .left : header.predictor
      // The rows lie within the reserved samples; a row above is there unless it is the first line.
      switch predictor {
      case .left:
        try unsafe decodeRow(row, &reader, isFirstLine) { a, _, _ in a }
      case .above:
        try unsafe decodeRow(row, &reader, isFirstLine) { _, b, _ in b }
      case .aboveLeft:
        try unsafe decodeRow(row, &reader, isFirstLine) { _, _, c in c }
      case .plane:
        try unsafe decodeRow(row, &reader, isFirstLine) { a, b, c in a &+ b &- c }
      case .leftAndHalfSlope:
        try unsafe decodeRow(row, &reader, isFirstLine) { a, b, c in a &+ ((b &- c) &>> 1) }
      case .aboveAndHalfSlope:
        try unsafe decodeRow(row, &reader, isFirstLine) { a, b, c in b &+ ((a &- c) &>> 1) }
      case .average:
        try unsafe decodeRow(row, &reader, isFirstLine) { a, b, _ in (a &+ b) &>> 1 }
      }
      isFirstLine = false
    }
    try checkEnd(reader, row: shape.rows - 1)
    try checkEndOfImage()
  }

  /// Decodes one line; `predict` gets the samples to the left, above, and above to the left.
  @unsafe @inline(__always)
  private func decodeRow(
    _ row: Int,
    _ reader: inout EntropyBitReader,
    _ isFirstLine: Bool,
    predict: (Int32, Int32, Int32) -> Int32
  ) throws(LosslessJPEGError) {
    let shape = header.shape
    let components = shape.components
    let width = shape.samplesPerRow
    let line = unsafe buffers.samples + row * width
    let scans = unsafe UnsafePointer(buffers.scans)
    let tables = unsafe UnsafePointer(buffers.tables)
    // Read only below the first line.
    let above = unsafe isFirstLine ? line : line - width
    var invalid: UInt32 = 0
    var bits: UInt16 = 0
    for component in 0..<components {
      let difference = unsafe reader.difference(
        scans,
        tables,
        table: LosslessJPEGBuffers.table(slot: slot, component: component),
        invalid: &invalid
      )
      // H.1.2.1: the first column is predicted from above, the first sample from half the range.
      let prediction =
        unsafe isFirstLine ? UInt32(1) << UInt32(shape.precision - 1) : UInt32(above[component])
      let sample = UInt16(truncatingIfNeeded: prediction &+ difference)
      unsafe line[component] = sample
      bits |= sample
    }
    var index = components
    while index < width {
      // A whole number of pixels.
      let end = min(width, index + LosslessJPEGBuffers.differencesPerCheck / 4 * components)
      while index < end {
        for component in 0..<components {
          let left = unsafe Int32(line[index - components])
          let up = unsafe Int32(above[index])
          let upLeft = unsafe Int32(above[index - components])
          let difference = unsafe reader.difference(
            scans,
            tables,
            table: LosslessJPEGBuffers.table(slot: slot, component: component),
            invalid: &invalid
          )
          let prediction = UInt32(bitPattern: predict(left, up, upLeft))
          let sample = UInt16(truncatingIfNeeded: prediction &+ difference)
          unsafe line[index] = sample
          bits |= sample
          index += 1
        }
      }
      guard isWithinScan(reader) else {
        throw .entropyExhausted(row: row)
      }
    }
    guard invalid >> 16 == 0 else { throw .invalidCode(row: row) }
    guard isWithinScan(reader) else {
      throw .entropyExhausted(row: row)
    }
    guard UInt32(bits) >> UInt32(shape.precision) == 0 else {
      throw .sampleOutOfRange(row: row, precision: shape.precision)
    }
  }
}
