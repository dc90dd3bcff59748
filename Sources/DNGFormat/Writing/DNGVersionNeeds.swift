internal import TIFFContainer

/// The versions of the specification that a written file needs (DNG 1.7.1, "DNGBackwardVersion").
struct DNGVersionNeeds {
  /// The oldest readers that understand it.
  private(set) var backward = DNGVersion(1, 1)
  /// The version that defines all of its tags.
  private(set) var defining = DNGVersion(1, 4)

  /// - Parameters:
  ///   - directories: All of the file.
  ///   - raw: The raw image's.
  ///   - sourceVersion: What the source's tags come from.
  init(_ directories: [IFDBuilder], raw: IFDBuilder, sourceVersion: DNGVersion?) {
    addCoding(of: raw)
    for tag in [TIFFTag.opcodeList1, .opcodeList2, .opcodeList3] {
      if let list = raw.bytes(tag) { addOpcodes(list) }
    }
    for directory in directories { addImages(of: directory) }
    defining = max(defining, backward, sourceVersion ?? defining)
  }

  private mutating func addCoding(of raw: IFDBuilder) {
    if raw.contains(.subTileBlockSize) || raw.contains(.rowInterleaveFactor) { need(1, 2) }
    if let layout = raw.shorts(.cfaLayout)?.first, layout >= 6 { need(1, 3) }
    let compression = raw.shorts(.compression)?.first.map { DNGCompression(rawValue: Int($0)) }
    let isFloatingPoint = raw.shorts(.sampleFormat)?.first == 3
    if isFloatingPoint || compression == .deflate || compression == .lossyJPEG { need(1, 4) }
    if compression == .jpegXL { need(1, 7) }
    if raw.contains(.columnInterleaveFactor) { need(1, 7, 1) }
  }

  private mutating func addImages(of directory: IFDBuilder) {
    if directory.contains(.previewColorSpace) { need(1, 2) }
    if directory.longs(.newSubFileType)?.first == 4 { need(1, 4) }
    let isMask =
      directory.shorts(.photometricInterpretation)?.first
      == UInt16(DNGPhotometric.photometricMask.rawValue)
    let tags: [TIFFTag] = [.profileGainTableMap, .calibrationIlluminant3, .semanticName]
    if isMask || tags.contains(where: directory.contains) {
      defining = max(defining, DNGVersion(1, 6))
    }
    let isJPEGXL = directory.shorts(.compression)?.first == UInt16(DNGCompression.jpegXL.rawValue)
    if isJPEGXL || directory.contains(.profileGainTableMap2) {
      defining = max(defining, DNGVersion(1, 7))
    }
    for child in directory.directories(.subIFDs) { addImages(of: child) }
  }

  /// An opcode that must be known needs the version that it states (DNG 1.7.1 chapter 7).
  private mutating func addOpcodes(_ list: [UInt8]) {
    let order = TIFFByteOrder.bigEndian
    guard list.count >= 4 else { return }
    var position = 4
    for _ in 0..<min(order.uint32(list, at: 0), 256) {
      guard position + 16 <= list.count else { return }
      let version = DNGVersion(number: order.uint32(list, at: position + 4))
      let isOptional = order.uint32(list, at: position + 8) & 1 != 0
      if !isOptional { backward = max(backward, DNGVersion(1, 3), version) }
      position += 16 + Int(order.uint32(list, at: position + 12))
    }
  }

  private mutating func need(_ major: UInt8, _ minor: UInt8, _ patch: UInt8 = 0) {
    backward = max(backward, DNGVersion(major, minor, patch))
  }
}
