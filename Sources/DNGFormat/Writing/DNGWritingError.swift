package import Diagnostics
package import JPEGCodec
package import JPEGXLCodec
package import Raster
package import RawModel
package import TIFFContainer

/// What can go wrong when a DNG is written.
package enum DNGWritingError: Error, Equatable, Sendable {
  /// A sample of this tile (or strip row) needs more bits than the file is to store.
  case sampleOverBitDepth(tile: Int, bitsPerSample: Int)
  /// The compression can't store samples of this many bits.
  case unsupportedBitDepth(bitsPerSample: Int, compression: String)
  /// The compression can't store this many samples a pixel, or a frame or tile of this size.
  case unsupportedShape(columns: Int, rows: Int, samplesPerPixel: Int)
  /// Samples of a kind that is not written in the way asked for.
  case unsupportedSamples(StoredSamples.Kind)
  /// A sample that the kind of samples asked for can't hold, in its row.
  case unrepresentableSample(row: Int?, target: String)
  /// The raw has opcode lists, which are not written yet.
  case opcodesNotWritable
  /// The compression needs demosaiced samples.
  case needsLinear(compression: String)
  /// A tile could not be coded.
  case jpeg(JPEGError)
  /// A tile could not be coded.
  case jpegXL(JPEGXLError)
  /// The file would not fit the offsets of a classic TIFF.
  case container(TIFFWritingError)
  /// A buffer could not be allocated.
  case memory(RasterError)
}

extension DNGWritingError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .sampleOverBitDepth: "sampleOverBitDepth"
    case .unsupportedBitDepth: "unsupportedOutputBitDepth"
    case .unsupportedShape: "unsupportedOutputShape"
    case .unsupportedSamples: "unsupportedOutputSamples"
    case .unrepresentableSample: "unrepresentableSample"
    case .opcodesNotWritable: "opcodesNotWritable"
    case .needsLinear: "needsLinear"
    case .jpeg(let error): error.code
    case .jpegXL(let error): error.code
    case .container(let error): error.code
    case .memory(let error): error.code
    }
  }

  package var message: String {
    switch self {
    case .sampleOverBitDepth(let tile, let bitsPerSample):
      "tile \(tile) has a sample that does not fit in \(bitsPerSample) bits"
    case .unsupportedBitDepth(let bitsPerSample, let compression):
      "a DNG with \(compression) can't store \(bitsPerSample) bits a sample"
    case .unsupportedShape(let columns, let rows, let samplesPerPixel):
      "a DNG tile of \(columns)x\(rows) pixels with \(samplesPerPixel) samples can't be stored"
    case .unsupportedSamples(let kind):
      "\(kind) samples can't be written to a DNG in this way"
    case .unrepresentableSample(let row, let target):
      "\(row.map { "row \($0)" } ?? "the raw") has samples that \(target) can't hold"
    case .opcodesNotWritable:
      "the raw has opcode lists, which can't be written to a DNG yet"
    case .needsLinear(let compression):
      "\(compression) stores demosaiced samples alone; linear: true makes them of a mosaic"
    case .jpeg(let error): error.message
    case .jpegXL(let error): error.message
    case .container(let error): error.message
    case .memory(let error): error.message
    }
  }

  package var disposition: Disposition {
    switch self {
    case .sampleOverBitDepth, .unsupportedBitDepth, .unsupportedShape, .unsupportedSamples,
      .unrepresentableSample,
      .opcodesNotWritable, .needsLinear:
      .permanent
    case .jpeg(let error): error.disposition
    case .jpegXL(let error): error.disposition
    case .container(let error): error.disposition
    case .memory(let error): error.disposition
    }
  }
}
