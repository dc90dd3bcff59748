/// A feature of the DNG specification that a file uses and that is not read yet.
package enum DNGUnsupportedFeature: Equatable, Sendable {
  /// DNGBackwardVersion is newer than the specification that this reader follows.
  case backwardVersion(DNGVersion)
  case compression(DNGCompression)
  /// Compression 7 whose JPEG is not lossless: the SOF marker found (0xC0 baseline …) and the bits of
  /// its samples.
  case jpegProcess(marker: Int, precision: Int)
  /// Samples that the compression can't hold by the specification.
  case samples(bits: Int, isFloat: Bool, DNGCompression)
  /// SampleFormat other than unsigned integer (3 is floating point).
  case sampleFormat(Int)
  case bitsPerSample(Int)
  /// FillOrder 2.
  case fillOrder(Int)
  /// A predictor that the specification doesn't list, or not with such samples and compression.
  case predictor(Int)
  case linearRawPlanes(Int)
  /// A colour filter array other than 2x2 red, green, blue.
  case colorFilterArray(String)
  /// CFALayout other than 1 (rectangular).
  case cfaLayout(Int)
  /// An opcode that must be applied and that this reader does not know, or not in its version.
  case opcode(list: Int, id: Int, version: DNGVersion)
  /// DefaultScale differs between the directions.
  case pixelAspect(horizontal: Double, vertical: Double)
}

extension DNGUnsupportedFeature: CustomStringConvertible {
  package var description: String {
    switch self {
    case .backwardVersion(let version):
      "DNG version \(version) (DNGBackwardVersion)"
    case .compression(let compression):
      compression.name == nil ? "\(compression)" : "\(compression) compression"
    case .jpegProcess(let marker, let precision):
      "lossy (DCT) JPEG of \(precision) bits under compression 7 in the raw image, SOF marker "
        + "0x\(String(marker, radix: 16))"
    case .samples(let bits, let isFloat, let compression):
      "\(isFloat ? "floating-point" : "integer") samples of \(bits) bits with \(compression)"
    case .sampleFormat(let format):
      "SampleFormat \(format)"
    case .bitsPerSample(let bits):
      "\(bits) bits a sample"
    case .fillOrder(let order):
      "FillOrder \(order)"
    case .predictor(let predictor):
      "Predictor \(predictor)"
    case .linearRawPlanes(let planes):
      "LinearRaw with \(planes) samples a pixel"
    case .colorFilterArray(let pattern):
      "the colour filter array \(pattern)"
    case .cfaLayout(let layout):
      "CFALayout \(layout)"
    case .opcode(let list, let id, let version):
      "opcode \(id) of DNG \(version) in OpcodeList\(list), which may not be left out"
    case .pixelAspect(let horizontal, let vertical):
      "pixels that are not square (DefaultScale \(horizontal) x \(vertical))"
    }
  }
}
