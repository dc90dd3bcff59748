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

  /// Writes the columns `columns` of row `y` of the active area; the row's positions are used up.
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
    if let sixteen {
      unsafe store16(row, columns: columns, at: place, table: tables.sixteen, into: sixteen)
    }
    if let eight {
      let first = (columns.lowerBound - row.origin) >> 1
      let end = ((columns.upperBound - 1 - row.origin) >> 1) + 1
      for color in 0..<3 {
        unsafe encode(row.even[color], first..<end, table: tables.eight)
        unsafe encode(row.odd[color], first..<end, table: tables.eight)
      }
      unsafe dither(row, first..<end, firstColumn: columns.lowerBound, at: place, packed: packed)
      let pixels = unsafe packed + (columns.lowerBound - row.origin)
      unsafe store(pixels, count: columns.count, at: place, into: eight)
    }
  }

  /// Replaces positions by 8-bit codes in 256ths.
  @inline(__always)
  private func encode(_ row: SampleRow, _ range: Range<Int>, table: UnsafePointer<UInt16>) {
    let shift = BitLanes(repeating: EncodingTables.fractionBits)
    for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      row[bits: i] = row[bits: i] &>> shift
    }
    for i in range {
      // Positions are within the table whatever the sample was: see Lanes.unitClamped.
      row[bit: i] = unsafe UInt32(table[Int(row[bit: i])])
    }
  }

  /// Adds the thresholds and packs pixels: red, green and blue in the low bytes of a word.
  private func dither(
    _ row: Row,
    _ range: Range<Int>,
    firstColumn: Int,
    at place: PictureGeometry.Placement,
    packed: UnsafeMutablePointer<UInt32>
  ) {
    let stepX = UInt32(truncatingIfNeeded: place.stepX) &* Dither.stepX
    let step = stepX &+ UInt32(truncatingIfNeeded: place.stepY) &* Dither.stepY
    // The phase of the even column at which the range begins, which may lie one before the first.
    let skipped = UInt32(truncatingIfNeeded: firstColumn - row.origin - 2 * range.lowerBound)
    let start = Dither.phase(x: place.x, y: place.y) &- skipped &* step
    let numbers = BitLanes(0, 2, 4, 6, 8, 10, 12, 14)
    var phase = BitLanes(repeating: start) &+ numbers &* BitLanes(repeating: step)
    let advance = BitLanes(repeating: 16 &* step)
    let toOdd = BitLanes(repeating: step)
    for i in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      var pair = SIMD16<UInt32>()
      pair.evenHalf = Self.pack(row.even, i, Dither.threshold(phase))
      pair.oddHalf = Self.pack(row.odd, i, Dither.threshold(phase &+ toOdd))
      // packed has room for the whole vectors that cover the range.
      unsafe UnsafeMutableRawPointer(packed + 2 * i).storeBytes(of: pair, as: SIMD16<UInt32>.self)
      phase = phase &+ advance
    }
  }

  @inline(__always)
  private static func pack(_ rows: [3 of SampleRow], _ i: Int, _ threshold: BitLanes) -> BitLanes {
    let eight = BitLanes(repeating: 8)
    let high = BitLanes(repeating: 0xFF00)
    let red = (rows[0][bits: i] &+ threshold) &>> eight
    let green = (rows[1][bits: i] &+ threshold) & high
    let blue = ((rows[2][bits: i] &+ threshold) & high) &<< eight
    return red | green | blue
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
