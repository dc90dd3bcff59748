package import Diagnostics
package import Raster

/// What can go wrong with a JPEG XL stream (ISO/IEC 18181-1).
package enum JPEGXLError: Error, Equatable, Sendable {
  /// The library could not be set up.
  case unavailable
  /// The data is damaged.
  case damaged
  /// The stream ends before its picture does.
  case truncated
  /// The picture has another shape than the tile that it is to fill.
  case otherShape(picture: PixelSize, channels: Int)
  /// Alpha or other channels beside the colour channels.
  case extraChannels(Int)
  /// An animation, or a picture of several layers.
  case severalFrames
  /// Samples other than integers of up to 16 bits and half floats.
  case unsupportedSamples(bits: Int, exponentBits: Int)
  /// The picture can't be encoded, and why.
  case encoding(String)
}

extension JPEGXLError: Diagnosable {
  package var code: ErrorCode {
    switch self {
    case .unavailable: "jpegXLUnavailable"
    case .damaged: "jpegXLDamaged"
    case .truncated: "jpegXLTruncated"
    case .otherShape: "jpegXLOtherShape"
    case .extraChannels: "jpegXLExtraChannels"
    case .severalFrames: "jpegXLSeveralFrames"
    case .unsupportedSamples: "jpegXLUnsupportedSamples"
    case .encoding: "jpegXLEncoding"
    }
  }

  package var message: String {
    switch self {
    case .unavailable:
      "libjxl could not be set up"
    case .damaged:
      "the JPEG XL stream is damaged"
    case .truncated:
      "the JPEG XL stream ends before its picture does"
    case .otherShape(let picture, let channels):
      "the JPEG XL picture has \(picture) pixels of \(channels) channels, which is not the tile's "
        + "shape"
    case .extraChannels(let count):
      "the JPEG XL picture has \(count) channels beside its colours"
    case .severalFrames:
      "the JPEG XL picture has several frames or layers"
    case .encoding(let reason):
      "the picture can't be encoded as JPEG XL: \(reason)"
    case .unsupportedSamples(let bits, let exponentBits):
      exponentBits == 0
        ? "the JPEG XL picture has \(bits) bits a sample (up to 16 are read)"
        : "the JPEG XL picture has floating-point samples of \(bits) bits, \(exponentBits) of them "
          + "exponent (half floats are read)"
    }
  }

  package var disposition: Disposition { self == .unavailable ? .resource : .permanent }
}
