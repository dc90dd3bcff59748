internal import RawModel
internal import TIFFContainer

extension RGBTables {
  /// RGBTables (52543); nil where it is absent or has no table.
  ///
  /// - Throws: `container`, `profileTable`.
  init?(_ directory: DNGDirectory, _ warnings: inout ReadWarnings) throws(DNGReadError) {
    // Twenty tables of 32^3 colours of three floats, and room for their names.
    guard var bytes = try ProfileBytes(directory, .rgbTables, limit: 16 << 20) else { return nil }
    let count = try bytes.uint32()
    guard count > 0 else { return nil }
    guard count <= 20 else { throw bytes.damage("has \(count) tables; expected 1 to 20") }
    let method = try bytes.uint32()
    guard let composition = Composition(rawValue: method) else {
      throw bytes.damage("has \(method) as CompositeMethod; expected 0 or 1")
    }
    var tables: [RGBTable] = []
    for _ in 0..<count { tables.append(try RGBTable(&bytes)) }
    guard tables.count(where: \.semanticName.isEmpty) <= 1 else {
      throw bytes.damage("has more than one background table")
    }
    if bytes.remaining > 0 {
      warnings.add(
        "\(directory.site(.rgbTables)) has \(bytes.remaining) bytes after its last table"
      )
    }
    self.init(composition: composition, tables: tables)
  }
}

extension RGBTable {
  /// How samples are stored (PixelType).
  private enum Coding: Int {
    case uint8 = 0
    case uint16 = 1
    case float32 = 2

    var byteCount: Int { 1 << rawValue }
  }

  fileprivate init(_ bytes: inout ProfileBytes) throws(DNGReadError) {
    let name = try bytes.text(byteCount: bytes.uint16())
    let divisions = try bytes.uint8()
    guard (2...32).contains(divisions) else {
      throw bytes.damage("has \(divisions) as Divisions; expected 2 to 32")
    }
    let coding: Coding = try bytes.choice("PixelType")
    let gamma: Gamma = try bytes.choice("GammaEncoding")
    let primaries: Primaries = try bytes.choice("ColorPrimaries")
    let gamutExtension: GamutExtension = try bytes.choice("GamutExtension")
    let count = 3 * divisions * divisions * divisions
    try bytes.need(count * coding.byteCount)
    var samples: [Float] = []
    samples.reserveCapacity(count)
    for _ in 0..<count {
      switch coding {
      case .uint8: samples.append(Float(try bytes.uint8()) / 255)
      case .uint16: samples.append(Float(try bytes.uint16()) / 65_535)
      case .float32:
        let sample = try bytes.float("the colours")
        guard (0...1).contains(sample) else {
          throw bytes.damage("has \(sample) as a colour; expected 0 to 1")
        }
        samples.append(sample)
      }
    }
    self.init(
      semanticName: name,
      divisions: divisions,
      gamma: gamma,
      primaries: primaries,
      gamutExtension: gamutExtension,
      samples: samples
    )
  }
}
