internal import TIFFContainer

extension RawContent {
  /// Classifies a whole file in memory.
  package static func classify(_ bytes: [UInt8]) -> RawContent {
    classify(fileSize: bytes.count) { offset, count in
      Array(bytes[offset..<offset + count])
    }
  }

  /// Classifies a file by reading pieces of it: 32 bytes of its start and, for a TIFF, IFD 0.
  ///
  /// - Parameters:
  ///   - fileSize: In bytes.
  ///   - read: Gives `count` bytes at `offset`, which lie within the file; fewer where the file
  ///     became shorter.
  /// - Returns: The kind of file; `unknown` where nothing is known of its content.
  /// - Throws: What `read` throws.
  package static func classify<Failure: Error>(
    fileSize: Int,
    read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> RawContent {
    guard fileSize > 0 else { return .empty }
    let head = try read(0, min(32, fileSize))
    if let kind = byMagic(head) { return kind }
    guard let order = tiffByteOrder(head) else { return .unknown }
    let isBig = order.uint16(head, at: 2) == 43
    guard !isBig || head.count >= 16 else { return .unknown }
    let offset = isBig ? order.uint64(head, at: 8) : UInt64(order.uint32(head, at: 4))
    guard
      let main = try SniffedDirectory(
        offset: offset,
        isBigTIFF: isBig,
        byteOrder: order,
        fileSize: fileSize,
        read: read
      )
    else {
      // The header alone is no picture of any kind.
      return .unknown
    }
    if main.has(.dngVersion) { return .dng }
    if head.count >= 10, head[8] == 0x43, head[9] == 0x52 { return .otherRaw("Canon CR2") }
    guard let make = try main.text(.make, read: read)?.uppercased() else { return .tiff }
    // Plain TIFFs from cameras carry the maker's name too; raws of these makers are told by a
    // private IFD, by SubIFDs or by a compression of their own.
    guard main.has(.subIFDs) || main.has(.exifIFD) || main.hasPrivateCompression else {
      return .tiff
    }
    let makers = [
      ("NIKON", "Nikon NEF"), ("SONY", "Sony ARW"), ("KODAK", "Kodak raw"),
      ("EASTMAN KODAK", "Kodak raw"), ("PENTAX", "Pentax PEF"), ("SAMSUNG", "Samsung SRW"),
      ("HASSELBLAD", "Hasselblad 3FR"), ("PHASE ONE", "Phase One IIQ"), ("LEAF", "Leaf MOS"),
      ("MAMIYA", "Mamiya MEF"), ("SEIKO EPSON", "Epson ERF"), ("CANON", "Canon TIFF raw"),
    ]
    return makers.first { make.hasPrefix($0.0) }.map { .otherRaw($0.1) } ?? .tiff
  }

  /// Formats that the first bytes tell.
  private static func byMagic(_ head: [UInt8]) -> RawContent? {
    func matches(_ text: String, at offset: Int = 0) -> Bool {
      let magic = Array(text.utf8)
      return head.count >= offset + magic.count
        && head[offset..<offset + magic.count].elementsEqual(magic)
    }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if matches("HEAPCCDR", at: 6) { return .otherRaw("Canon CRW") }
    if matches("FUJIFILMCCD-RAW") { return .otherRaw("Fujifilm RAF") }
    if matches("FOVb") { return .otherRaw("Sigma X3F") }
    if matches("\u{0}MRM") { return .otherRaw("Minolta MRW") }
    if matches("IIRO") || matches("IIRS") || matches("MMOR") { return .otherRaw("Olympus ORF") }
    if head.starts(with: [0x49, 0x49, 0x55, 0x00]) { return .otherRaw("Panasonic RW2") }
    if matches("IIII") || matches("MMMMRaw") { return .otherRaw("Phase One IIQ") }
    if matches("ARRI") { return .otherRaw("ARRIRAW") }
    if matches("ftypcrx ", at: 4) { return .otherRaw("Canon CR3") }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .otherImage("PNG") }
    if matches("GIF8") { return .otherImage("GIF") }
    if head.starts(with: [0xFF, 0x0A]) || matches("JXL ", at: 4) { return .otherImage("JPEG XL") }
    if matches("ftyp", at: 4) {
      for (brands, name) in [
        (["heic", "heix", "mif1", "msf1", "hevc"], "HEIF"), (["avif", "avis"], "AVIF"),
      ] where brands.contains(where: { matches($0, at: 8) }) {
        return .otherImage(name)
      }
    }
    if matches("RIFF"), matches("WEBP", at: 8) { return .otherImage("WebP") }
    return nil
  }

  /// The byte order of a TIFF header of version 42 or 43.
  private static func tiffByteOrder(_ head: [UInt8]) -> TIFFByteOrder? {
    guard head.count >= 8 else { return nil }
    let order: TIFFByteOrder
    switch (head[0], head[1]) {
    case (0x49, 0x49): order = .littleEndian
    case (0x4D, 0x4D): order = .bigEndian
    default: return nil
    }
    let version = order.uint16(head, at: 2)
    return version == 42 || version == 43 ? order : nil
  }
}
