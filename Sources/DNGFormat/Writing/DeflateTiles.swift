internal import CZlib
internal import Raster
internal import RawModel
internal import TIFFContainer

/// Codes tiles with Deflate (DNG 1.7.1, "Compression" 8).
struct DeflateTiles {
  /// 32; 16, too, where samples are floating point.
  private let bits: Int
  private let isFloatingPoint: Bool
  private let layout: SampleLayout
  private let byteOrder: TIFFByteOrder
  let tiling: DNGTiling

  /// zlib's own default.
  private static let level: Int32 = 6
  /// Bytes of a tile before compression: large enough for Deflate's window of 32 KiB to pay.
  private static let tileByteCount = 512 << 10

  /// - Parameters:
  ///   - size: The frame's.
  ///   - layout: Of its samples.
  ///   - bits: 32; 16, too, for floating point.
  ///   - isFloatingPoint: What samples are.
  ///   - byteOrder: The file's.
  init(
    size: PixelSize,
    layout: SampleLayout,
    bits: Int,
    isFloatingPoint: Bool,
    byteOrder: TIFFByteOrder
  ) {
    self.bits = bits
    self.isFloatingPoint = isFloatingPoint
    self.layout = layout
    self.byteOrder = byteOrder
    let pixels = Self.tileByteCount / (bits / 8 * layout.samplesPerPixel)
    tiling = DNGTiling(frame: size, targetPixels: pixels)
  }

  /// Predictor (317): of the sample of the same colour to the left (DNG 1.7.1, "Predictor").
  ///
  /// Of integers of a mosaic of the one beside it, because few readers know 34892, which skips it.
  var predictor: UInt16 {
    switch (layout, isFloatingPoint) {
    case (_, false): 2
    case (.mosaic, true), (.array, true): 34_894
    case (.linear, true): 3
    }
  }

  /// Samples from one to that of which it is predicted.
  private var distance: Int {
    switch layout {
    case .mosaic, .array: isFloatingPoint ? 2 : 1
    case .linear(let planes): planes
    }
  }

  /// Codes all tiles of integers: horizontal differences modulo 2^32 (TIFF 6.0 section 14), in the file's
  /// byte order.
  func encode(
    _ samples: borrowing Plane<UInt32>,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> [[UInt8]] {
    try encode(samples, scheduler: scheduler) { tile, width, bytes in
      for start in stride(from: 0, to: tile.count, by: width) {
        for index in start..<start + width {
          let left = index < start + distance ? 0 : tile[index - distance]
          let difference = tile[index] &- left
          for byte in 0..<4 {
            let place = byteOrder == .littleEndian ? byte : 3 - byte
            bytes.append(UInt8(truncatingIfNeeded: difference >> UInt32(8 * place)))
          }
        }
      }
    }
  }

  /// Codes all tiles of floating-point samples.
  func encode(
    _ samples: borrowing Plane<Float>,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> [[UInt8]] {
    let bits = bits
    return try encode(samples, scheduler: scheduler) { tile, width, bytes in
      for start in stride(from: 0, to: tile.count, by: width) {
        let patterns = (start..<start + width).map { index in
          bits == 16 ? UInt32(Float16(tile[index]).bitPattern) : tile[index].bitPattern
        }
        appendBytePlanes(patterns, to: &bytes)
      }
    }
  }

  private func encode<Sample: BitwiseCopyable & ExpressibleByIntegerLiteral & Sendable>(
    _ samples: borrowing Plane<Sample>,
    scheduler: TileScheduler,
    _ predict: ([Sample], Int, inout [UInt8]) -> Void
  ) throws(DNGWritingError) -> [[UInt8]] {
    try TileGathering.segments(
      of: samples,
      layout,
      tiling,
      scheduler: scheduler
    ) { (tile, region) throws(DNGWritingError) in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(tile.count * bits / 8)
      predict(tile, region.width * layout.samplesPerPixel, &bytes)
      return try Self.deflate(bytes)
    }
  }

  /// The highest bytes of a row's samples, then the next ones, in either byte order; each byte minus
  /// that of the sample to the left (TIFF Technical Note 3).
  private func appendBytePlanes(_ row: [UInt32], to bytes: inout [UInt8]) {
    let byteCount = bits / 8
    var plane: [UInt8] = []
    plane.reserveCapacity(row.count * byteCount)
    for byte in 0..<byteCount {
      let shift = UInt32(8 * (byteCount - 1 - byte))
      for pattern in row { plane.append(UInt8(truncatingIfNeeded: pattern >> shift)) }
    }
    for index in plane.indices {
      bytes.append(index < distance ? plane[index] : plane[index] &- plane[index - distance])
    }
  }

  /// The version of zlib that is loaded.
  static var libraryVersion: String {
    // A static, terminated string.
    unsafe String(cString: zlibVersion())
  }

  /// A zlib stream (RFC 1950).
  private static func deflate(_ bytes: [UInt8]) throws(DNGWritingError) -> [UInt8] {
    // RFC 1951: stored blocks of up to 64 KiB take five bytes more each; zlib's own bound is wider.
    let capacity = bytes.count + bytes.count / 1000 + 64
    var written = 0
    var status = RAWMILL_ZLIB_OK
    let stream = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      // The library writes at most `capacity` bytes of the buffer and says how many.
      unsafe status = bytes.withUnsafeBufferPointer { source in
        unsafe rawmill_deflate(
          source.baseAddress,
          source.count,
          level,
          buffer.baseAddress,
          buffer.count,
          &written
        )
      }
      count = status == RAWMILL_ZLIB_OK ? written : 0
    }
    guard status == RAWMILL_ZLIB_OK else {
      throw .memory(.allocationRefused(bytes: capacity, limit: capacity))
    }
    return stream
  }
}
