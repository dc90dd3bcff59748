internal import Raster

/// Writes rows of table positions into the picture: encoded, dithered, turned.
struct PictureWriter {
  let geometry: PictureGeometry
  let eight: TileWriter<UInt8>?
  let sixteen: TileWriter<UInt16>?

  /// Table positions of one row, in even and odd columns of each colour.
  struct Row {
    var even: [3 of SampleRow]
    var odd: [3 of SampleRow]
    /// The column of the active area at which index 0 of `even` stands.
    var origin: Int
  }

  /// Writes the columns `columns` of row `y` of the active area.
  ///
  /// `packed` is scratch for a pixel of each column from `row.origin` on, and 15 more.
  func write(
    _ row: Row,
    y: Int,
    columns: Range<Int>,
    packed: UnsafeMutablePointer<UInt32>,
    tables: EncodingTables.Pointers
  ) {
    let place = geometry.placement(x: columns.lowerBound, y: y)
    if let eight {
      let first = (columns.lowerBound - row.origin) >> 1
      let last = (columns.upperBound - 1 - row.origin) >> 1
      let stepX = UInt32(truncatingIfNeeded: place.stepX) &* Dither.stepX
      let step = stepX &+ UInt32(truncatingIfNeeded: place.stepY) &* Dither.stepY
      let skipped = UInt32(truncatingIfNeeded: columns.lowerBound - row.origin - 2 * first)
      let phase = Dither.phase(x: place.x, y: place.y) &- skipped &* step
      unsafe pack(
        row.even,
        range: first..<(last + 1),
        phase: phase,
        step: step &* 2,
        packed: packed,
        table: tables.eight
      )
      unsafe pack(
        row.odd,
        range: first..<(last + 1),
        phase: phase &+ step,
        step: step &* 2,
        packed: packed + 1,
        table: tables.eight
      )
      let pixels = unsafe packed + (columns.lowerBound - row.origin)
      unsafe store(pixels, count: columns.count, at: place, into: eight)
    }
    if let sixteen {
      unsafe store16(row, columns: columns, at: place, table: tables.sixteen, into: sixteen)
    }
  }

  /// Encodes every other pixel of a row to 8 bit: red, green and blue in the low bytes of a word.
  @inline(__always)
  private func pack(
    _ rows: [3 of SampleRow],
    range: Range<Int>,
    phase: UInt32,
    step: UInt32,
    packed: UnsafeMutablePointer<UInt32>,
    table: UnsafePointer<UInt16>
  ) {
    let red = rows[0]
    let green = rows[1]
    let blue = rows[2]
    var phase = phase
    for i in range {
      let threshold = Dither.threshold(phase)
      let shift = EncodingTables.fractionBits
      // Positions are within the table whatever the sample was: see Lanes.unitClamped.
      let r = unsafe UInt32(table[Int(red[bit: i] &>> shift)]) &+ threshold
      let g = unsafe UInt32(table[Int(green[bit: i] &>> shift)]) &+ threshold
      let b = unsafe UInt32(table[Int(blue[bit: i] &>> shift)]) &+ threshold
      unsafe packed[2 &* i] = (r &>> 8) | (g & 0xFF00) | ((b & 0xFF00) &<< 8)
      phase &+= step
    }
  }

  /// Stores pixels in a row or a column of the picture.
  @inline(__always)
  private func store(
    _ pixels: UnsafePointer<UInt32>,
    count: Int,
    at place: PictureGeometry.Placement,
    into writer: TileWriter<UInt8>
  ) {
    let step = place.stepY * writer.stride + 3 * place.stepX
    let first = unsafe writer.pointer(x: 3 * place.x, y: place.y)
    if step == 3 {
      // Whole words, each over the fourth byte of the one before; the last pixel has no such byte.
      for index in 0..<(count - 1) {
        unsafe UnsafeMutableRawPointer(first + 3 * index).storeBytes(
          of: pixels[index],
          as: UInt32.self
        )
      }
      unsafe store(pixels[count - 1], first + 3 * (count - 1))
    } else if step == -3 {
      // The same from the leftmost pixel of the picture, which is the last of the row.
      let leftmost = unsafe first - 3 * (count - 1)
      for index in 0..<(count - 1) {
        unsafe UnsafeMutableRawPointer(leftmost + 3 * index).storeBytes(
          of: pixels[count - 1 - index],
          as: UInt32.self
        )
      }
      unsafe store(pixels[0], first)
    } else {
      for index in 0..<count {
        unsafe store(pixels[index], first + step * index)
      }
    }
  }

  @inline(__always)
  private func store(_ pixel: UInt32, _ place: UnsafeMutablePointer<UInt8>) {
    unsafe place[0] = UInt8(truncatingIfNeeded: pixel)
    unsafe place[1] = UInt8(truncatingIfNeeded: pixel &>> 8)
    unsafe place[2] = UInt8(truncatingIfNeeded: pixel &>> 16)
  }

  private func store16(
    _ row: Row,
    columns: Range<Int>,
    at place: PictureGeometry.Placement,
    table: UnsafePointer<Float>,
    into writer: TileWriter<UInt16>
  ) {
    let step = place.stepY * writer.stride + 3 * place.stepX
    var pixel = unsafe writer.pointer(x: 3 * place.x, y: place.y)
    let remaining = columns.upperBound - 1
    for column in columns {
      let offset = column - row.origin
      let rows = offset & 1 == 0 ? row.even : row.odd
      for color in 0..<3 {
        let position = rows[color][bit: offset >> 1]
        unsafe pixel[color] = Self.code16(position, table)
      }
      if column < remaining { unsafe pixel += step }
    }
  }

  @inline(__always)
  private static func code16(_ position: UInt32, _ table: UnsafePointer<Float>) -> UInt16 {
    let index = Int(position &>> EncodingTables.fractionBits)
    let mask: UInt32 = (1 << EncodingTables.fractionBits) - 1
    let scale = Float(sign: .plus, exponent: -Int(EncodingTables.fractionBits), significand: 1)
    let fraction = Float(position & mask) * scale
    let low = unsafe table[index]
    let high = unsafe table[index + 1]
    return UInt16(low + (high - low) * fraction + 0.5)
  }
}

extension EncodingTables {
  /// The tables' storage, for the length of a call of `withPointers`.
  // @unsafe: each points to `count` elements, which positions cannot exceed.
  @unsafe
  struct Pointers {
    let eight: UnsafePointer<UInt16>
    let sixteen: UnsafePointer<Float>
  }

  /// Lends the tables to kernels.
  func withPointers<Result, Failure: Error>(
    _ body: (Pointers) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Arrays of `count` elements; the closures end before this function does.
    func withSixteen(_ eight: UnsafePointer<UInt16>) throws(Failure) -> Result {
      try unsafe sixteen.withUnsafeBufferPointer { buffer throws(Failure) in
        guard let base = buffer.baseAddress else { preconditionFailure("tables are not empty") }
        return try unsafe body(Pointers(eight: eight, sixteen: base))
      }
    }
    return try unsafe eight.withUnsafeBufferPointer { buffer throws(Failure) in
      guard let base = buffer.baseAddress else { preconditionFailure("tables are not empty") }
      return try unsafe withSixteen(base)
    }
  }
}
