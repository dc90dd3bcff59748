internal import TIFFContainer

/// The bytes of a profile tag of type UNDEFINED, read from first to last in the file's byte order.
struct ProfileBytes {
  private let directory: DNGDirectory
  private let tag: TIFFTag
  private let bytes: [UInt8]
  private var position = 0

  /// - Throws: `container`.
  init?(_ directory: DNGDirectory, _ tag: TIFFTag, limit: Int) throws(DNGReadError) {
    guard let bytes = try directory.bytes(tag, limit: limit) else { return nil }
    self.directory = directory
    self.tag = tag
    self.bytes = bytes
  }

  /// Bytes that are not read yet.
  var remaining: Int { bytes.count - position }

  func damage(_ reason: String) -> DNGReadError {
    directory.damagedTable(tag, reason)
  }

  /// Makes sure that `count` more bytes are there.
  func need(_ count: Int) throws(DNGReadError) {
    guard remaining >= count else {
      throw damage("ends after \(bytes.count) bytes, \(count - remaining) too early")
    }
  }

  mutating func uint8() throws(DNGReadError) -> Int {
    try need(1)
    defer { position += 1 }
    return Int(bytes[position])
  }

  mutating func uint16() throws(DNGReadError) -> Int {
    try need(2)
    defer { position += 2 }
    return Int(directory.tiff.byteOrder.uint16(bytes, at: position))
  }

  mutating func uint32() throws(DNGReadError) -> Int {
    try need(4)
    defer { position += 4 }
    return Int(directory.tiff.byteOrder.uint32(bytes, at: position))
  }

  mutating func float(_ what: String) throws(DNGReadError) -> Float {
    let value = Float(bitPattern: UInt32(try uint32()))
    guard value.isFinite else { throw damage("has a value of \(what) that is no finite number") }
    return value
  }

  mutating func double(_ what: String) throws(DNGReadError) -> Double {
    try need(8)
    defer { position += 8 }
    let value = Double(
      bitPattern: directory.tiff.byteOrder.uint64(bytes, at: position)
    )
    guard value.isFinite else { throw damage("has a value of \(what) that is no finite number") }
    return value
  }

  mutating func text(byteCount: Int) throws(DNGReadError) -> String {
    try need(byteCount)
    defer { position += byteCount }
    return String(decoding: bytes[position..<position + byteCount], as: UTF8.self)
  }

  /// A number that stands for a case.
  mutating func choice<Choice: RawRepresentable<Int>>(
    _ what: String
  ) throws(DNGReadError) -> Choice {
    let value = try uint8()
    guard let choice = Choice(rawValue: value) else { throw damage("has \(value) as \(what)") }
    return choice
  }
}

extension DNGDirectory {
  /// The error that a profile's table is broken.
  func damagedTable(_ tag: TIFFTag, _ reason: String) -> DNGReadError {
    .profileTable(site(tag), reason: reason)
  }
}
