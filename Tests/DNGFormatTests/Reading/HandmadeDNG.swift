internal import TIFFContainer

/// A small DNG of which a test can change any tag and any byte.
struct HandmadeDNG {
  var main = IFDBuilder()
  var segments: [[UInt8]]
  var byteOrder = TIFFByteOrder.littleEndian

  /// A Bayer raw in one strip of little-endian 16-bit samples, all zero by default.
  init(width: Int = 8, height: Int = 6, bits: Int = 16, strip: [UInt8]? = nil) {
    segments = [strip ?? Array(repeating: 0, count: (width * bits + 7) / 8 * height)]
    main.set(.newSubFileType, long: 0)
    main.set(.imageWidth, long: UInt32(width))
    main.set(.imageLength, long: UInt32(height))
    main.set(.bitsPerSample, short: UInt16(bits))
    main.set(.compression, short: 1)
    main.set(.photometricInterpretation, short: 32_803)
    main.set(.samplesPerPixel, short: 1)
    main.set(.rowsPerStrip, long: UInt32(height))
    main.set(.cfaRepeatPatternDim, shorts: [2, 2])
    main.set(.cfaPattern, bytes: [0, 1, 1, 2])
    main.set(.dngVersion, bytes: [1, 4, 0, 0])
    main.set(.orientation, short: 1)
    main.set(.uniqueCameraModel, ascii: "Handmade")
    main.set(
      .colorMatrix1,
      signedRationals: [1, 0, 0, 0, 1, 0, 0, 0, 1].map {
        TIFFSignedRational($0, 1)
      }
    )
    main.set(.asShotNeutral, rationals: (0..<3).map { _ in TIFFRational(1, 1) })
  }

  /// Changes strips into tiles of this size.
  mutating func useTiles(width: Int, height: Int) {
    main.remove(.rowsPerStrip)
    main.set(.tileWidth, long: UInt32(width))
    main.set(.tileLength, long: UInt32(height))
    isTiled = true
  }

  private var isTiled = false

  /// The file; `adjust` may change the raw IFD after the image data is announced.
  func bytes(_ adjust: (inout IFDBuilder) -> Void = { _ in }) throws -> [UInt8] {
    var main = main
    main.setImageData(
      offsets: isTiled ? .tileOffsets : .stripOffsets,
      byteCounts: isTiled ? .tileByteCounts : .stripByteCounts,
      segmentByteCounts: segments.map(\.count)
    )
    adjust(&main)
    let layout = try TIFFWriter.layOut([main], byteOrder: byteOrder)
    var bytes = layout.structure
    for (offset, segment) in zip(layout.segmentOffsets, segments) {
      bytes += Array(repeating: 0, count: offset - bytes.count)
      bytes += segment
    }
    return bytes
  }
}
