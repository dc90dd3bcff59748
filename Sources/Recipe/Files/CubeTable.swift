/// A look as a table of colours: a `.cube` file.
///
/// Adobe, "Cube LUT Specification 1.0" (2013): one curve for each channel (`LUT_1D_SIZE`, 2 to 65536) or
/// a cube of colours (`LUT_3D_SIZE`, 2 to 256), over a domain that is 0 to 1 unless `DOMAIN_MIN` and
/// `DOMAIN_MAX` say otherwise. `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE` of other writers are taken too.
package struct CubeTable: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case curves
    case cube
  }

  package let kind: Kind
  /// Samples along each side.
  package let size: Int
  package let domainMinimum: SIMD3<Float>
  package let domainMaximum: SIMD3<Float>
  /// `size` colours, or `size` cubed with red changing fastest.
  package let colors: [SIMD3<Float>]

  package init(
    kind: Kind,
    size: Int,
    domainMinimum: SIMD3<Float> = .zero,
    domainMaximum: SIMD3<Float> = .one,
    colors: [SIMD3<Float>]
  ) {
    self.kind = kind
    self.size = size
    self.domainMinimum = domainMinimum
    self.domainMaximum = domainMaximum
    self.colors = colors
  }
}
