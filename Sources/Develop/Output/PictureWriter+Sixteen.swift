internal import Raster

extension PictureWriter {
  /// Stores the codes of 16 bit, which are interpolated and need no dither.
  func store16(
    _ row: Row,
    columns: Range<Int>,
    at place: PictureGeometry.Placement,
    table: UnsafePointer<Float>,
    into writer: TileWriter<UInt16>
  ) {
    let step = place.stepY * writer.stride + 3 * place.stepX
    let first = unsafe writer.pointer(x: 3 * place.x, y: place.y)
    let offsets = (columns.lowerBound - row.origin)..<(columns.upperBound - row.origin)
    // Index 0 of the even columns has offset 0; what is no whole vector goes pixel by pixel.
    var offset = offsets.lowerBound
    func storeSingly(upTo end: Int) {
      while offset < end {
        let pixel = unsafe first + step * (offset - offsets.lowerBound)
        for color in 0..<3 {
          let samples = offset & 1 == 0 ? row.even[color] : row.odd[color]
          let position = BitLanes(repeating: samples[bit: offset >> 1])
          unsafe pixel[color] = UInt16(truncatingIfNeeded: Self.code16(position, table)[0])
        }
        offset += 1
      }
    }
    storeSingly(upTo: min(offsets.upperBound, (offset + 1) & ~1))
    // The last pixel is left: words of the others may lie over the two bytes that follow them.
    while offset + 16 < offsets.upperBound {
      let even = unsafe Self.pack16(row.even, offset >> 1, table)
      let odd = unsafe Self.pack16(row.odd, offset >> 1, table)
      var pixel = unsafe first + step * (offset - offsets.lowerBound)
      for lane in 0..<Lanes.laneCount {
        unsafe Self.store(even, lane, pixel, isAscending: step == 3)
        unsafe Self.store(odd, lane, pixel + step, isAscending: step == 3)
        unsafe pixel += 2 * step
      }
      offset += 16
    }
    storeSingly(upTo: offsets.upperBound)
  }

  /// Stores one of eight pixels; in ascending order, as a whole word over what the next one will be.
  @inline(__always)
  private static func store(
    _ pixels: (redAndGreen: BitLanes, blue: BitLanes),
    _ lane: Int,
    _ place: UnsafeMutablePointer<UInt16>,
    isAscending: Bool
  ) {
    let word = UInt64(pixels.redAndGreen[lane]) | UInt64(pixels.blue[lane]) &<< 32
    if isAscending {
      unsafe UnsafeMutableRawPointer(place).storeBytes(of: word, as: UInt64.self)
    } else {
      unsafe place[0] = UInt16(truncatingIfNeeded: word)
      unsafe place[1] = UInt16(truncatingIfNeeded: word &>> 16)
      unsafe place[2] = UInt16(truncatingIfNeeded: word &>> 32)
    }
  }

  @inline(__always)
  private static func pack16(
    _ rows: [3 of SampleRow],
    _ i: Int,
    _ table: UnsafePointer<Float>
  ) -> (redAndGreen: BitLanes, blue: BitLanes) {
    let red = unsafe code16(rows[0][bits: i], table)
    let green = unsafe code16(rows[1][bits: i], table)
    let blue = unsafe code16(rows[2][bits: i], table)
    return (red | green &<< BitLanes(repeating: 16), blue)
  }

  /// The codes of eight positions, interpolated and rounded.
  @inline(__always)
  private static func code16(_ position: BitLanes, _ table: UnsafePointer<Float>) -> BitLanes {
    let index = position &>> BitLanes(repeating: EncodingTables.fractionBits)
    let mask = BitLanes(repeating: (1 << EncodingTables.fractionBits) - 1)
    let scale = Float(sign: .plus, exponent: -Int(EncodingTables.fractionBits), significand: 1)
    let fraction = Lanes(exactly: position & mask) * Lanes(repeating: scale)
    var low = Lanes()
    var high = Lanes()
    for lane in 0..<Lanes.laneCount {
      // Positions are within the table whatever the sample was: see Lanes.unitClamped.
      let entry = unsafe table + Int(index[lane])
      low[lane] = unsafe entry[0]
      high[lane] = unsafe entry[1]
    }
    let code = low + (high - low) * fraction + Lanes(repeating: 0.5)
    // Adding 2^23 rounds to the nearest integer, which may be the one above.
    let magic = Lanes(repeating: 8_388_608)
    let nearest = (code + magic) - magic
    let one = Lanes(repeating: 0).replacing(with: 1, where: nearest .> code)
    return (nearest - one + magic).bits & BitLanes(repeating: 0xFFFF)
  }
}
