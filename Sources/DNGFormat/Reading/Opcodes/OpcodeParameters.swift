internal import Raster
internal import RawModel
internal import TIFFContainer

/// The parameters of one opcode, read from first to last: always big-endian.
struct OpcodeParameters {
  private let bytes: [UInt8]
  private let start: Int
  private let end: Int
  private var position: Int

  /// - Precondition: `range` lies within `bytes`.
  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    start = range.lowerBound
    end = range.upperBound
    position = range.lowerBound
  }

  var byteCount: Int { end - start }

  /// Bytes that are not read yet.
  var remaining: Int { end - position }

  /// Checks the whole size; `expected` may be `Int.max` for one that no file has.
  func requireByteCount(_ expected: Int) throws(OpcodeFault) {
    guard byteCount == expected else {
      throw .byteCount(found: byteCount, expected: expected)
    }
  }

  mutating func uint16() throws(OpcodeFault) -> UInt16 {
    try need(2)
    defer { position += 2 }
    return TIFFByteOrder.bigEndian.uint16(bytes, at: position)
  }

  mutating func uint32() throws(OpcodeFault) -> UInt32 {
    try need(4)
    defer { position += 4 }
    return TIFFByteOrder.bigEndian.uint32(bytes, at: position)
  }

  /// A count or a choice.
  mutating func integer(
    _ what: String,
    in range: ClosedRange<Int>
  ) throws(OpcodeFault) -> Int {
    let value = Int(try uint32())
    guard range.contains(value) else { throw .outOfRange(what, value: value, valid: range) }
    return value
  }

  mutating func float(_ what: String) throws(OpcodeFault) -> Float {
    let value = Float(bitPattern: try uint32())
    guard value.isFinite else { throw .notFinite(what) }
    return value
  }

  mutating func double(_ what: String) throws(OpcodeFault) -> Double {
    try need(8)
    defer { position += 8 }
    let value = Double(bitPattern: TIFFByteOrder.bigEndian.uint64(bytes, at: position))
    guard value.isFinite else { throw .notFinite(what) }
    return value
  }

  mutating func doubles(_ what: String, count: Int) throws(OpcodeFault) -> [Double] {
    var values: [Double] = []
    for _ in 0..<count { values.append(try double(what)) }
    return values
  }

  /// `count` floats, whose bytes are known to be there.
  mutating func floats(_ what: String, count: Int) throws(OpcodeFault) -> [Float] {
    try need(count.multipliedOrMax(4))
    var values: [Float] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try float(what)) }
    return values
  }

  /// Coefficient sets: one, or one for each plane, of which DNG has four at the most.
  mutating func setCount() throws(OpcodeFault) -> Int {
    try integer("number of coefficient sets", in: 1...4)
  }

  mutating func center() throws(OpcodeFault) -> OpticalCenter {
    let x = try double("the centre")
    let y = try double("the centre")
    for value in [x, y] where !(0...1).contains(value) {
      throw .invalid("centre", value: value, expected: "0 to 1")
    }
    return OpticalCenter(x: x, y: y)
  }

  /// Top, left, bottom, right as signed numbers, none below 0.
  mutating func rectangle() throws(OpcodeFault) -> (top: Int, left: Int, bottom: Int, right: Int) {
    let range = 0...Int(Int32.max)
    return (
      try integer("top", in: range), try integer("left", in: range),
      try integer("bottom", in: range), try integer("right", in: range)
    )
  }

  /// A rectangle that has pixels.
  mutating func region() throws(OpcodeFault) -> Region {
    let edges = try rectangle()
    guard edges.top < edges.bottom, edges.left < edges.right else { throw .emptyRectangle }
    return Region(
      left: edges.left,
      top: edges.top,
      width: edges.right - edges.left,
      height: edges.bottom - edges.top
    )
  }

  mutating func area() throws(OpcodeFault) -> OpcodeArea {
    let edges = try rectangle()
    let any = Int(UInt32.max)
    let area = OpcodeArea(
      top: edges.top,
      left: edges.left,
      bottom: edges.bottom,
      right: edges.right,
      plane: try integer("plane", in: 0...any),
      planes: try integer("number of planes", in: 1...any),
      rowPitch: try integer("row pitch", in: 1...any),
      columnPitch: try integer("column pitch", in: 1...any)
    )
    guard !area.isWholeImage || (area.rowPitch == 1 && area.columnPitch == 1) else {
      throw .emptyArea
    }
    return area
  }

  private func need(_ count: Int) throws(OpcodeFault) {
    guard remaining >= count else {
      throw .truncated(byteCount: byteCount, minimum: (position - start).addedOrMax(count))
    }
  }
}

extension Int {
  /// The sum, or `Int.max` where it doesn't fit.
  fileprivate func addedOrMax(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
