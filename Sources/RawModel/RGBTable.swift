/// One colour table of RGBTables: a cube of output colours over input colours.
package struct RGBTable: Equatable, Sendable {
  /// The curve that input and output are encoded with (GammaEncoding).
  package enum Gamma: Int, Sendable {
    case linear = 0
    case sRGB = 1
    case gamma18 = 2
    case gamma22 = 3
    case rec2020 = 4
  }

  /// The space of input and output (ColorPrimaries).
  package enum Primaries: Int, Sendable {
    case sRGB = 0
    case adobeRGB = 1
    case displayP3 = 2
    case rec2020 = 3
    case proPhoto = 4
  }

  /// What happens with colours outside the space (GamutExtension).
  package enum GamutExtension: Int, Sendable {
    case clip = 0
    case extend = 1
  }

  /// The semantic mask that weights the table; empty for the background, which is all of the picture
  /// where there is no other table.
  package var semanticName: String
  /// Samples along each side of the cube, 2 to 32.
  package var divisions: Int
  package var gamma: Gamma
  package var primaries: Primaries
  package var gamutExtension: GamutExtension
  /// `divisions` cubed colours of three channels, 1 being full scale; blue innermost, red outermost.
  package var samples: [Float]

  package init(
    semanticName: String,
    divisions: Int,
    gamma: Gamma,
    primaries: Primaries,
    gamutExtension: GamutExtension,
    samples: [Float]
  ) {
    self.semanticName = semanticName
    self.divisions = divisions
    self.gamma = gamma
    self.primaries = primaries
    self.gamutExtension = gamutExtension
    self.samples = samples
  }
}
