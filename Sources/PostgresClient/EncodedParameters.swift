/// Parameters in the form in which libpq takes them: one run of bytes with offsets.
struct EncodedParameters {
  let types: [UInt32]
  private let bytes: [UInt8]
  private let offsets: [Int?]
  private let lengths: [Int32]

  init(_ parameters: [PostgresParameter]) throws(PostgresError) {
    var encoder = BinaryEncoder()
    var offsets: [Int?] = []
    var lengths: [Int32] = []
    for parameter in parameters {
      let start = encoder.bytes.count
      let isValue = try encoder.append(parameter)
      let length = encoder.bytes.count - start
      guard let length32 = Int32(exactly: length), length32 < PostgresLimits.valueBytes else {
        throw .valueTooLarge(bytes: length, limit: Int(PostgresLimits.valueBytes))
      }
      offsets.append(isValue ? start : nil)
      lengths.append(length32)
    }
    // A value of no bytes still needs a pointer that is not null, inside the buffer.
    encoder.append(UInt8(0))
    types = parameters.map { $0.type.rawValue }
    bytes = encoder.bytes
    self.offsets = offsets
    self.lengths = lengths
  }

  /// Lends the parallel arrays of libpq's calls: count, values, lengths, formats (all binary).
  func withPointers(
    _ body: (
      Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Int32
  ) -> Int32 {
    let formats = [Int32](repeating: 1, count: lengths.count)
    // The pointers point into `buffer`, which stands still until the closure returns.
    return unsafe bytes.withUnsafeBytes { buffer in
      let values: [UnsafePointer<CChar>?] = unsafe offsets.map { offset in
        guard let offset, let base = buffer.baseAddress else { return nil }
        return unsafe (base + offset).assumingMemoryBound(to: CChar.self)
      }
      return unsafe values.withUnsafeBufferPointer { values in
        unsafe lengths.withUnsafeBufferPointer { lengths in
          unsafe formats.withUnsafeBufferPointer { formats in
            unsafe body(
              Int32(lengths.count),
              values.baseAddress,
              lengths.baseAddress,
              formats.baseAddress
            )
          }
        }
      }
    }
  }
}
