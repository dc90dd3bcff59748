/// A version of the DNG specification: the four bytes of DNGVersion and DNGBackwardVersion.
package struct DNGVersion: Hashable, Comparable, Sendable {
  package let bytes: [4 of UInt8]

  package init(_ major: UInt8, _ minor: UInt8, _ patch: UInt8 = 0, _ build: UInt8 = 0) {
    bytes = [major, minor, patch, build]
  }

  /// The version whose four bytes are those of a number, the highest first.
  package init(number: UInt32) {
    bytes = [
      UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
      UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
    ]
  }

  private var number: UInt32 {
    var number: UInt32 = 0
    for index in bytes.indices { number = number << 8 | UInt32(bytes[index]) }
    return number
  }

  package static func == (left: DNGVersion, right: DNGVersion) -> Bool {
    left.number == right.number
  }

  package static func < (left: DNGVersion, right: DNGVersion) -> Bool {
    left.number < right.number
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }

  /// The newest version that is read.
  package static let newest = DNGVersion(1, 7, 1)
}

extension DNGVersion: CustomStringConvertible {
  package var description: String { "\(bytes[0]).\(bytes[1]).\(bytes[2]).\(bytes[3])" }
}
