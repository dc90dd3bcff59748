/// The boxes of a HEIF file as far as tests look at them (ISO/IEC 14496-12, 23008-12).
struct HEIFBoxes {
  /// Type and content of each item property, in order; container boxes are entered.
  private(set) var boxes: [(type: String, content: [UInt8])] = []

  init(_ file: [UInt8]) {
    walk(file[...])
  }

  func contents(of type: String) -> [[UInt8]] {
    boxes.filter { $0.type == type }.map(\.content)
  }

  private mutating func walk(_ bytes: ArraySlice<UInt8>) {
    var bytes = bytes
    while bytes.count >= 8 {
      let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, size <= bytes.count else { return }
      let type = String(decoding: bytes.dropFirst(4).prefix(4), as: UTF8.self)
      let content = bytes.dropFirst(8).prefix(size - 8)
      boxes.append((type, type == "mdat" ? [] : Array(content)))
      switch type {
      case "meta", "iref": walk(content.dropFirst(4))
      case "iprp", "ipco": walk(content)
      default: break
      }
      bytes = bytes.dropFirst(size)
    }
  }
}
