extension OutputSpecification {
  /// A DNG with the source's samples coded anew and everything else kept.
  package struct DNGSettings: Equatable, Sendable {
    package enum BitDepth: Equatable, Sendable {
      /// The source's.
      case source
      /// 8 to 16.
      case integer(Int)
      case float16
      case float32
    }

    /// How codes are spread over light.
    package enum Curve: String, CaseIterable, Sendable {
      case source
      case squareRoot
      case linear
    }

    package enum Compression: String, CaseIterable, Sendable {
      case losslessJPEG
      case none
      case deflate
      case jpegXL
      case lossyJPEG
    }

    package enum Preview: Equatable, Sendable {
      /// The source's previews, as they are.
      case source
      case none
      /// Rendered, with this longer edge in pixels.
      case longEdge(Int)
      /// Rendered, in the size of the developed picture.
      case full
    }

    package var bitDepth: BitDepth
    package var curve: Curve
    package var compression: Compression
    /// 0 to 1; 1 is lossless.
    package var quality: Double
    /// Whether a mosaic is stored demosaiced.
    package var linear: Bool
    package var preview: Preview
    /// Whether the source's bytes are the output where coding anew would make them more.
    package var keepSmaller: Bool

    package init(
      bitDepth: BitDepth = .source,
      curve: Curve = .source,
      compression: Compression = .losslessJPEG,
      quality: Double = 1,
      linear: Bool = false,
      preview: Preview = .source,
      keepSmaller: Bool = false
    ) {
      self.bitDepth = bitDepth
      self.curve = curve
      self.compression = compression
      self.quality = quality
      self.linear = linear
      self.preview = preview
      self.keepSmaller = keepSmaller
    }

    /// Whether the raw has to be developed for it.
    package var needsPicture: Bool {
      switch preview {
      case .source, .none: false
      case .longEdge, .full: true
      }
    }
  }
}
