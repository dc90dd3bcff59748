internal import Raster
internal import RawModel
internal import TIFFContainer

/// Reads an opcode list (DNG 1.7.1 chapter 7): always big-endian, whatever the file's byte order.
struct OpcodeListReader {
  private let directory: DNGDirectory
  private let tag: TIFFTag
  private let bytes: [UInt8]

  /// Opcodes of one list: cameras write up to a dozen, and each takes memory and time for every column
  /// or row, so that a small file could ask for gigabytes.
  static let countLimit = 256

  /// Bytes of one list: 24 million gains leave room.
  static let byteLimit = 128 << 20

  /// The tags of the lists, in their order.
  static let tags: [TIFFTag] = [.opcodeList1, .opcodeList2, .opcodeList3]

  /// The opcodes of a list, none where the tag is absent.
  ///
  /// - Throws: `container`, `opcodeList`, `opcode`.
  static func opcodes(_ directory: DNGDirectory, _ tag: TIFFTag) throws(DNGReadError) -> [Opcode] {
    guard let bytes = try directory.bytes(tag, limit: byteLimit) else { return [] }
    return try OpcodeListReader(directory: directory, tag: tag, bytes: bytes).list()
  }

  private func list() throws(DNGReadError) -> [Opcode] {
    guard bytes.count >= 4 else { throw damage("has \(bytes.count) bytes, no list") }
    let count = uint32(0)
    // An opcode has a header of 16 bytes.
    guard count <= (bytes.count - 4) / 16 else {
      throw damage("declares \(count) opcodes in \(bytes.count) bytes")
    }
    guard count <= Self.countLimit else {
      throw damage("has \(count) opcodes (limit \(Self.countLimit))")
    }
    var position = 4
    var opcodes: [Opcode] = []
    for index in 0..<count {
      guard bytes.count - position >= 16 else { throw damage("ends within opcode \(index)") }
      let id = uint32(position)
      let version = UInt32(truncatingIfNeeded: uint32(position + 4))
      let flags = UInt32(truncatingIfNeeded: uint32(position + 8))
      let byteCount = uint32(position + 12)
      position += 16
      guard byteCount <= bytes.count - position else {
        throw damage("ends within opcode \(index) (\(Opcode.Operation.name(id)))")
      }
      let range = position..<position + byteCount
      // What a newer version of the specification made of an opcode is as unknown as a new one.
      let isKnown = DNGVersion(number: version) <= .newest
      var parameters = OpcodeParameters(bytes, range)
      let operation: Opcode.Operation
      do throws(OpcodeFault) {
        operation = isKnown ? try Opcode.Operation(id: id, &parameters) : .unknown(id: id)
      } catch {
        throw .opcode(directory.site(tag), index: index, id: id, error)
      }
      opcodes.append(
        Opcode(operation: operation, version: version, flags: flags, data: Array(bytes[range]))
      )
      position = range.upperBound
    }
    guard position == bytes.count else {
      throw damage("has \(bytes.count - position) bytes after its last opcode")
    }
    return opcodes
  }

  private func uint32(_ position: Int) -> Int {
    Int(TIFFByteOrder.bigEndian.uint32(bytes, at: position))
  }

  private func damage(_ reason: String) -> DNGReadError {
    .opcodeList(directory.site(tag), reason: reason)
  }
}
