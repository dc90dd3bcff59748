/// How the samples of an image are coded: the values of Compression (259).
package struct DNGCompression: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  package static let uncompressed = DNGCompression(rawValue: 1)
  /// Lossless JPEG for raw data, baseline JPEG for previews and masks.
  package static let jpeg = DNGCompression(rawValue: 7)
  package static let deflate = DNGCompression(rawValue: 8)
  /// Deflate under its number before TIFF adopted it.
  package static let deflateLegacy = DNGCompression(rawValue: 32_946)
  package static let lossyJPEG = DNGCompression(rawValue: 34_892)
  package static let jpegXL = DNGCompression(rawValue: 52_546)

  /// The usual name, or nil for a number that no specification lists.
  package var name: String? {
    switch rawValue {
    case 1: "uncompressed"
    case 2: "CCITT modified Huffman"
    case 3: "CCITT Group 3"
    case 4: "CCITT Group 4"
    case 5: "LZW"
    case 6: "old-style JPEG"
    case 7: "JPEG"
    case 8, 32_946: "Deflate"
    case 32_767: "Sony ARW"
    case 32_769: "packed"
    case 32_773: "PackBits"
    case 34_713: "Nikon NEF"
    case 34_892: "lossy JPEG"
    case 50_000: "Zstandard"
    case 50_001: "WebP"
    case 50_002, 52_546: "JPEG XL"
    case 65_000: "Kodak DCR"
    case 65_535: "Pentax PEF"
    default: nil
    }
  }
}

extension DNGCompression: CustomStringConvertible {
  package var description: String {
    guard let name else { return "compression \(rawValue)" }
    return "\(name) (\(rawValue))"
  }
}
