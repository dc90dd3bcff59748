/// The stages of a development, in their order.
///
/// Each has a folder with its type, whose comment gives formula, source and version. They run fused, a
/// row of a tile at a time, but in this order for every pixel.
package enum DevelopStage: String, CaseIterable, Sendable {
  /// `LinearizationStage`: stored codes to balanced linear samples.
  case linearization
  /// `GainMapStage`: OpcodeList2.
  case gainMap
  /// `MenonDemosaic` or `BilinearDemosaic`: mosaics only.
  case demosaic
  /// `WorkingColorStage`: clip at the neutral, camera to linear RIMM, exposure.
  case workingColor
  /// `ToneStage`: black point and base curve.
  case tone
  /// `GamutMapStage`: into Display P3.
  case gamutMap
  /// `PictureWriter`: sRGB curve, dither, crop, orientation.
  case output

  /// Raised when a change of the stage changes pixels.
  package var version: Int { 1 }
}
