package import Raster

/// Decodes baseline and progressive JPEGs of 8 bits.
package enum JPEGDecoder {
  /// What becomes of the components.
  package enum Color: Sendable {
    /// They come as they are coded, whatever JFIF or Adobe markers say: tiles of raw data.
    case asCoded
    /// Three components are YCbCr and become RGB: pictures.
    case rgb
  }

  /// Decodes a whole stream of a known shape; data that is not whole is refused, never patched up.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - range: The stream's, within them.
  ///   - tables: A stream of tables alone that the picture's stream leaves out (JPEGTables, 347).
  ///   - size: What the frame must have.
  ///   - components: Components that the frame must have.
  ///   - color: Whether they stay as they are.
  ///   - samples: Gets `size.height` rows of interleaved samples; what stood there is lost.
  /// - Throws: `JPEGError`.
  package static func decode(
    _ bytes: [UInt8],
    range: Range<Int>,
    tables: [UInt8]? = nil,
    size: PixelSize,
    components: Int,
    color: Color,
    into samples: inout [UInt8]
  ) throws(JPEGError) {
    let count = size.width * size.height * components
    if samples.count != count { samples = [UInt8](repeating: 0, count: count) }
    try LibJPEG.decode(
      bytes.span.extracting(range),
      tables: tables,
      size: size,
      components: components,
      convertsYCC: color == .rgb,
      into: &samples
    )
  }
}
