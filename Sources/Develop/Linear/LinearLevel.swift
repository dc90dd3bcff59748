/// How far a linear picture's numbers are from the sensor's, and what becomes of a mosaic.
package enum LinearLevel: Equatable, Sendable {
  /// Codes as stored; with `isLinearized`, after the LinearizationTable. No opcode is applied.
  case codes(isLinearized: Bool, LinearLayout)
  /// Linear reference values, 0 being black and 1 white, after OpcodeLists 1 and 2. With `isBalanced` over
  /// the camera's neutral, whose largest value is 1.
  case samples(isBalanced: Bool, LinearLayout)
  /// Colours of the scene: balanced samples through the camera's matrices.
  case scene(LinearSpace)
}

/// How the samples of a mosaic are laid out.
///
/// Demosaiced raws keep their own samples.
package enum LinearLayout: Equatable, Sendable {
  case demosaiced
  /// One sample a pixel, as the filters lie.
  case cfa
  /// A sample for each photosite of a 2x2 cell.
  case planes
}

extension LinearLevel {
  var layout: LinearLayout {
    switch self {
    case .codes(_, let layout), .samples(_, let layout): layout
    case .scene: .demosaiced
    }
  }

  /// The same for a raw: one that is no mosaic has its own samples, and codes are not demosaiced.
  func resolved(isMosaic: Bool) -> LinearLevel {
    func resolved(_ layout: LinearLayout, isCodes: Bool) -> LinearLayout {
      switch layout {
      case .planes: .planes
      case .cfa where isMosaic, .demosaiced where isMosaic && isCodes: .cfa
      case .cfa, .demosaiced: .demosaiced
      }
    }
    return switch self {
    case .codes(let isLinearized, let layout):
      .codes(isLinearized: isLinearized, resolved(layout, isCodes: true))
    case .samples(let isBalanced, let layout):
      .samples(isBalanced: isBalanced, resolved(layout, isCodes: false))
    case .scene: self
    }
  }

  /// How many of the file's opcode lists are applied.
  var opcodeLists: Int {
    switch self {
    case .codes: 0
    case .samples: 2
    case .scene: 3
    }
  }

  var isCodes: Bool {
    if case .codes = self { true } else { false }
  }
}
