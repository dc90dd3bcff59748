internal import ColorScience

/// An ICC profile, complete and ready to embed.
package struct ICCProfile: Equatable, Sendable {
  package let bytes: [UInt8]

  /// The profile of linear light in an RGB space: always the same bytes.
  ///
  /// - Throws: `libraryFailed` where Little CMS is out of memory.
  init(linear space: LinearColorimetry) throws(ImageEncodingError) {
    bytes = try makeRGBProfile(
      RGBProfileDescription(
        description: "Linear \(space.name) (rawmill)",
        white: space.white,
        red: space.red,
        green: space.green,
        blue: space.blue,
        isLinear: true
      )
    )
  }

  /// The profile of a colour space: always the same bytes.
  ///
  /// - Throws: `libraryFailed` where Little CMS is out of memory.
  package init(_ space: EncodedColorSpace) throws(ImageEncodingError) {
    switch space {
    case .displayP3:
      bytes = try makeRGBProfile(
        RGBProfileDescription(
          description: "Display P3 (rawmill)",
          white: .d65,
          red: Chromaticity(x: 0.680, y: 0.320),
          green: Chromaticity(x: 0.265, y: 0.690),
          blue: Chromaticity(x: 0.150, y: 0.060)
        )
      )
    }
  }
}
