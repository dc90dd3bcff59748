/// How the three colours of a mosaic's pixels are reconstructed.
package enum DemosaicMethod: String, CaseIterable, Sendable {
  /// Menon, Andriani & Calvagno (2007): along edges, with refining. For pictures.
  case menon
  /// The mean of the nearest samples of each colour. Linear in the samples, so that the mean of an area
  /// is the sensor's own: for measuring, and therefore what a linear recipe means unless it says else.
  case bilinear
}
