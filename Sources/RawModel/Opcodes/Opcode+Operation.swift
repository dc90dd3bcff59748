package import Raster

extension Opcode {
  /// What an opcode does (DNG 1.7.1 chapter 7), with its checked parameters.
  package enum Operation: Equatable, Sendable {
    case warpRectilinear(WarpRectilinear)
    case warpFisheye(WarpFisheye)
    case fixVignetteRadial(FixVignetteRadial)
    case fixBadPixelsConstant(FixBadPixelsConstant)
    case fixBadPixelsList(FixBadPixelsList)
    /// The part of the image that is kept.
    case trimBounds(Region)
    case mapTable(MapTable)
    case mapPolynomial(MapPolynomial)
    case gainMap(GainMap)
    case deltaPerRow(LineValues)
    case deltaPerColumn(LineValues)
    case scalePerRow(LineValues)
    case scalePerColumn(LineValues)
    case warpRectilinear2(WarpRectilinear2)
    /// One that this reader does not know: of another number, or of a newer DNG version.
    case unknown(id: Int)
  }
}

extension Opcode.Operation {
  /// The opcode's number.
  package var id: Int {
    switch self {
    case .warpRectilinear: 1
    case .warpFisheye: 2
    case .fixVignetteRadial: 3
    case .fixBadPixelsConstant: 4
    case .fixBadPixelsList: 5
    case .trimBounds: 6
    case .mapTable: 7
    case .mapPolynomial: 8
    case .gainMap: 9
    case .deltaPerRow: 10
    case .deltaPerColumn: 11
    case .scalePerRow: 12
    case .scalePerColumn: 13
    case .warpRectilinear2: 14
    case .unknown(let id): id
    }
  }

  /// The specification's name, or the number.
  package var name: String { Self.name(id) }

  /// The DNG version that brought the opcode: 1.6 for WarpRectilinear2, 1.3 for the others.
  package var definingVersion: UInt32 { id == 14 ? 0x0106_0000 : 0x0103_0000 }

  /// The specification's name of an opcode number, or the number in words.
  package static func name(_ id: Int) -> String {
    (1...names.count).contains(id) ? names[id - 1] : "opcode \(id)"
  }

  private static let names = [
    "WarpRectilinear", "WarpFisheye", "FixVignetteRadial", "FixBadPixelsConstant",
    "FixBadPixelsList", "TrimBounds", "MapTable", "MapPolynomial", "GainMap", "DeltaPerRow",
    "DeltaPerColumn", "ScalePerRow", "ScalePerColumn", "WarpRectilinear2",
  ]
}
