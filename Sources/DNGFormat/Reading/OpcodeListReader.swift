internal import Raster
internal import RawModel
internal import TIFFContainer

/// Reads an opcode list (DNG 1.7.1 chapter 7): always big-endian, whatever the file's byte order.
struct OpcodeListReader {
  private let directory: DNGDirectory
  private let tag: TIFFTag
  private let bytes: [UInt8]
  private var position = 0

  /// Opcodes of one list: cameras write up to a dozen, and each takes memory and time for every column
  /// or row, so that a small file could ask for gigabytes.
  static let countLimit = 256

  /// The opcodes of a list, none where the tag is absent.
  ///
  /// - Throws: `container`, `opcodeList`.
  static func opcodes(_ directory: DNGDirectory, _ tag: TIFFTag) throws(DNGReadError) -> [Opcode] {
    guard let bytes = try directory.bytes(tag, limit: 256 << 20) else { return [] }
    var reader = OpcodeListReader(directory: directory, tag: tag, bytes: bytes)
    return try reader.list()
  }

  private init(directory: DNGDirectory, tag: TIFFTag, bytes: [UInt8]) {
    self.directory = directory
    self.tag = tag
    self.bytes = bytes
  }

  private mutating func list() throws(DNGReadError) -> [Opcode] {
    let count = try uint32()
    // An opcode has a header of 16 bytes.
    guard count <= (bytes.count - position) / 16 else {
      throw damage("declares \(count) opcodes in \(bytes.count) bytes")
    }
    guard count <= Self.countLimit else {
      throw damage("has \(count) opcodes (limit \(Self.countLimit))")
    }
    var opcodes: [Opcode] = []
    for index in 0..<count {
      let id = try uint32()
      _ = try uint32()  // the DNG version that defines it
      let flags = try uint32()
      let byteCount = try uint32()
      let end = position + byteCount
      guard end <= bytes.count else {
        throw damage("ends within opcode \(index) (\(Self.name(id)))")
      }
      let operation: Opcode.Operation =
        id == 9 ? .gainMap(try gainMap(end: end)) : .other(id: id, name: Self.name(id))
      position = end
      opcodes.append(
        Opcode(
          operation: operation,
          isOptional: flags & 1 != 0,
          isSkippedForPreview: flags & 2 != 0
        )
      )
    }
    guard position == bytes.count else {
      throw damage("has \(bytes.count - position) bytes after its last opcode")
    }
    return opcodes
  }

  private mutating func gainMap(end: Int) throws(DNGReadError) -> GainMap {
    let area = try (0..<8).map { (_) throws(DNGReadError) in try uint32() }
    let points = try (0..<2).map { (_) throws(DNGReadError) in try uint32() }
    let grid = try (0..<4).map { (_) throws(DNGReadError) in try double() }
    let mapPlanes = try uint32()
    // Each is below 2^32: two products of two fit, the third is checked.
    let gainCount = (points[0] * points[1]).multipliedOrMax(mapPlanes)
    guard gainCount > 0, gainCount == (end - position) / 4, (end - position) % 4 == 0 else {
      throw damage(
        "has a GainMap of \(points[0])x\(points[1])x\(mapPlanes) points "
          + "with \(end - position) bytes of gains"
      )
    }
    guard area[0] < area[2], area[1] < area[3], area[5] > 0, area[6] > 0, area[7] > 0 else {
      throw damage("has a GainMap with an empty area, no plane or a pitch of 0")
    }
    var gains: [Float] = []
    gains.reserveCapacity(gainCount)
    for _ in 0..<gainCount {
      gains.append(Float(bitPattern: UInt32(try uint32())))
    }
    guard gains.allSatisfy({ $0.isFinite && $0 >= 0 }), grid.allSatisfy(\.isFinite),
      grid[0] > 0 || points[0] == 1, grid[1] > 0 || points[1] == 1
    else {
      throw damage("has a GainMap with a gain or a spacing that is no positive number")
    }
    return GainMap(
      area: Region(
        left: area[1],
        top: area[0],
        width: area[3] - area[1],
        height: area[2] - area[0]
      ),
      plane: area[4],
      planes: area[5],
      rowPitch: area[6],
      columnPitch: area[7],
      pointsV: points[0],
      pointsH: points[1],
      spacingV: grid[0],
      spacingH: grid[1],
      originV: grid[2],
      originH: grid[3],
      mapPlanes: mapPlanes,
      gains: gains
    )
  }

  private mutating func uint32() throws(DNGReadError) -> Int {
    guard bytes.count - position >= 4 else { throw damage("ends within an opcode") }
    defer { position += 4 }
    return Int(TIFFByteOrder.bigEndian.uint32(bytes, at: position))
  }

  private mutating func double() throws(DNGReadError) -> Double {
    guard bytes.count - position >= 8 else { throw damage("ends within an opcode") }
    defer { position += 8 }
    return Double(bitPattern: TIFFByteOrder.bigEndian.uint64(bytes, at: position))
  }

  private func damage(_ reason: String) -> DNGReadError {
    .opcodeList(directory.site(tag), reason: reason)
  }

  /// The specification's name, or the number.
  private static func name(_ id: Int) -> String {
    let names = [
      "WarpRectilinear", "WarpFisheye", "FixVignetteRadial", "FixBadPixelsConstant",
      "FixBadPixelsList", "TrimBounds", "MapTable", "MapPolynomial", "GainMap", "DeltaPerRow",
      "DeltaPerColumn", "ScalePerRow", "ScalePerColumn", "WarpRectilinear2",
    ]
    return (1...names.count).contains(id) ? names[id - 1] : "opcode \(id)"
  }
}
