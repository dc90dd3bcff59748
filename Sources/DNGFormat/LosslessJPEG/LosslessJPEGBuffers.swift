internal import Glibc

/// The memory in which one lane decodes one tile at a time; it grows to the largest tile and stays.
///
/// Not shared: a lane has its own.
@safe
final class LosslessJPEGBuffers {
  /// Lookup tables of four components.
  private let lookups: UnsafeMutablePointer<UInt32>
  /// The tables of four components; how many are initialised, `tableCount` says.
  private let tables: UnsafeMutablePointer<HuffmanDecodingTable>
  private var tableCount = 0
  /// The unstuffed scan and the zeros behind it.
  private(set) var scan: UnsafeMutablePointer<UInt8>
  private var scanCapacity: Int
  /// Decoded samples that don't go straight into the picture.
  private(set) var samples: UnsafeMutablePointer<UInt16>
  private var sampleCapacity: Int

  /// Zeros behind the scan.
  ///
  /// A difference takes 31 bits at the most, so that 1024 of them run over
  /// the scan's end by less than this, with the eight bytes that a refill reads.
  static let padding = 4096 + 64
  /// After so many differences the position is checked.
  static let differencesPerCheck = 1024

  init() {
    let lookupCount = 1 << HuffmanDecodingTable.lookupBits
    unsafe lookups = .allocate(capacity: 4 * lookupCount)
    unsafe lookups.initialize(repeating: 0, count: 4 * lookupCount)
    unsafe tables = .allocate(capacity: 4)
    scanCapacity = 0
    unsafe scan = .allocate(capacity: Self.padding)
    sampleCapacity = 1
    unsafe samples = .allocate(capacity: 1)
    unsafe samples.initialize(repeating: 0, count: 1)
  }

  deinit {
    unsafe lookups.deallocate()
    unsafe tables.deinitialize(count: tableCount)
    unsafe tables.deallocate()
    unsafe scan.deallocate()
    unsafe samples.deallocate()
  }

  /// Builds the components' tables and returns where the first of them stands.
  @unsafe
  func makeTables(_ specifications: [HuffmanSpecification]) -> UnsafePointer<HuffmanDecodingTable> {
    precondition(specifications.count <= 4, "a scan has up to four components")
    unsafe tables.deinitialize(count: tableCount)
    for (index, specification) in specifications.enumerated() {
      let lookup = unsafe lookups + index << HuffmanDecodingTable.lookupBits
      unsafe (tables + index).initialize(
        to: HuffmanDecodingTable(specification, lookup: lookup)
      )
    }
    tableCount = specifications.count
    return unsafe UnsafePointer(tables)
  }

  /// Room for `count` samples; what stood there is lost.
  @unsafe
  func reserveSamples(_ count: Int) {
    guard count > sampleCapacity else { return }
    unsafe samples.deallocate()
    unsafe samples = .allocate(capacity: count)
    unsafe samples.initialize(repeating: 0, count: count)
    sampleCapacity = count
  }

  /// Copies entropy-coded data up to the next marker into `scan`, without its stuffing (B.1.1.5), and
  /// puts zeros behind it.
  ///
  /// - Returns: The bytes of the scan and where the marker's 0xFF stands, or nil where the data ends
  ///   without a marker.
  func unstuff(_ bytes: Span<UInt8>) -> (byteCount: Int, marker: Int)? {
    if bytes.count > scanCapacity {
      unsafe scan.deallocate()
      scanCapacity = bytes.count
      unsafe scan = .allocate(capacity: scanCapacity + Self.padding)
    }
    // The scan is not longer than its source, for which there is room, and `from` stays below the
    // source's end.
    return unsafe bytes.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return nil }
      var from = 0
      var to = 0
      while from < source.count {
        guard let found = unsafe memchr(base + from, 0xFF, source.count - from) else { return nil }
        let run = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base + from)
        unsafe memcpy(scan + to, base + from, run)
        to += run
        from += run
        guard from + 1 < source.count else { return nil }
        if unsafe base[from + 1] == 0 {
          unsafe scan[to] = 0xFF
          to += 1
          from += 2
        } else if unsafe base[from + 1] == 0xFF {
          // A fill byte before a marker.
          from += 1
        } else {
          unsafe memset(scan + to, 0, Self.padding)
          return (to, from)
        }
      }
      return nil
    }
  }
}
