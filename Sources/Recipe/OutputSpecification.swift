/// One output of a recipe: its kind with settings, and how its file is named.
package struct OutputSpecification: Equatable, Sendable {
  package enum Format: Equatable, Sendable {
    case heic(HEICSettings)
    case tiff(TIFFSettings)
    case dng(DNGSettings)
    case linear(LinearSettings)
    case statistics(StatisticsSettings)
  }

  /// 8-bit HEIC.
  package struct HEICSettings: Equatable, Sendable {
    package var colorSpace: OutputColorSpace
    /// 8.
    package var bitDepth: Int
    /// 0 to 1.
    package var quality: Double

    package init(
      colorSpace: OutputColorSpace = .displayP3,
      bitDepth: Int = 8,
      quality: Double = 0.9
    ) {
      self.colorSpace = colorSpace
      self.bitDepth = bitDepth
      self.quality = quality
    }
  }

  /// Display-referred TIFF.
  package struct TIFFSettings: Equatable, Sendable {
    package var colorSpace: OutputColorSpace
    /// 8 or 16.
    package var bitDepth: Int

    package init(colorSpace: OutputColorSpace = .displayP3, bitDepth: Int = 16) {
      self.colorSpace = colorSpace
      self.bitDepth = bitDepth
    }
  }

  /// Names the output in results; by default kind and ordinal (`heic`, `heic2`).
  package var id: String
  /// Appended to the name before the extension.
  package var suffix: String
  package var format: Format

  package init(id: String, suffix: String = "", format: Format) {
    self.id = id
    self.suffix = suffix
    self.format = format
  }

  /// The extension of the output's file, without a dot.
  package var fileExtension: String {
    switch format {
    case .heic: "heic"
    case .tiff: "tiff"
    case .dng: "dng"
    case .linear(let settings): settings.format.rawValue
    case .statistics: "statistics.json"
    }
  }

  /// What follows the input's name in the output's: suffix, dot and extension.
  package var nameEnding: String { "\(suffix).\(fileExtension)" }

  /// The id of an output that has none of its own: its kind, with a number from the second on.
  package static func defaultID(kind: String, ordinal: Int) -> String {
    ordinal == 1 ? kind : "\(kind)\(ordinal)"
  }
}
