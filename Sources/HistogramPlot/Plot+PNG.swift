extension Plot {
  /// The picture as PNG (ISO/IEC 15948): 8-bit RGB.
  package var png: [UInt8] {
    let canvas = Canvas(self)
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += Self.chunk(
      "IHDR",
      Self.bigEndian(UInt32(canvas.width)) + Self.bigEndian(UInt32(canvas.height))
        + [8, 2, 0, 0, 0]
    )
    bytes += Self.chunk("sRGB", [0])
    bytes += Self.chunk("IDAT", RunDeflate.zlib(Self.filtered(canvas)))
    return bytes + Self.chunk("IEND", [])
  }

  /// Rows with the filter Up: a plot's rows are mostly those above them, and become zeros.
  private static func filtered(_ canvas: Canvas) -> [UInt8] {
    let stride = 3 * canvas.width
    var bytes: [UInt8] = []
    bytes.reserveCapacity((stride + 1) * canvas.height)
    for y in 0..<canvas.height {
      bytes.append(2)
      for place in y * stride..<(y + 1) * stride {
        let above = y > 0 ? canvas.pixels[place - stride] : 0
        bytes.append(canvas.pixels[place] &- above)
      }
    }
    return bytes
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(UInt32(data.count)) + body + bigEndian(crc32(body))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
  }

  /// The CRC of PNG's annex D.
  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
    }
    return ~crc
  }
}
