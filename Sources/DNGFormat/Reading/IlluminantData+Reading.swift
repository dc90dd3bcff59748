internal import ColorScience
internal import RawModel
internal import TIFFContainer

extension IlluminantData {
  /// IlluminantData1-3 (DNG 1.7.1 chapter 6): a type, then x and y, or a spectrum, as fractions in the
  /// file's byte order; nil with a warning for anything else.
  ///
  /// - Throws: `container` for a value outside the file.
  init?(
    _ main: DNGDirectory,
    _ tag: TIFFTag,
    _ warnings: inout ReadWarnings
  ) throws(DNGReadError) {
    let stored = main.informative(&warnings) { (tiff) throws(TIFFReadError) in
      try tiff.bytes(tag, limit: 65_536)
    }
    guard let bytes = stored else {
      warnings.add("\(main.site(tag)) is missing for the illuminant 255: the illuminant is unknown")
      return nil
    }
    guard let data = Self.data(bytes, main.tiff.byteOrder) else {
      warnings.add("\(main.site(tag)) is damaged: the illuminant is unknown")
      return nil
    }
    self = data
  }

  private static func data(_ bytes: [UInt8], _ order: TIFFByteOrder) -> IlluminantData? {
    guard bytes.count >= 2 else { return nil }
    func fraction(_ position: Int) -> Double {
      Double(order.uint32(bytes, at: position)) / Double(order.uint32(bytes, at: position + 4))
    }
    switch order.uint16(bytes, at: 0) {
    case 0:
      guard bytes.count == 18 else { return nil }
      let (x, y) = (fraction(2), fraction(10))
      guard x.isFinite, y.isFinite, x > 0, y > 0, x + y <= 1 else { return nil }
      return .chromaticity(Chromaticity(x: x, y: y))
    case 1:
      guard bytes.count >= 22 else { return nil }
      let count = Int(order.uint32(bytes, at: 2))
      // DNG 1.7.1: 2 to 1000 samples.
      guard (2...1000).contains(count), bytes.count == 22 + 8 * count else { return nil }
      let (first, step) = (fraction(6), fraction(14))
      let powers = (0..<count).map { fraction(22 + 8 * $0) }
      guard first.isFinite, first > 0, step.isFinite, step > 0,
        powers.allSatisfy(\.isFinite), powers.contains(where: { $0 > 0 })
      else { return nil }
      return .spectrum(first: first, step: step, powers: powers)
    default: return nil
    }
  }
}
