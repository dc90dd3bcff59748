internal import Glibc

/// The memory in which one lane decodes some tiles at a time; it grows to the largest tile and stays.
///
/// A slot holds one tile. Not shared: a lane has its own.
@safe
final class LosslessJPEGBuffers {
  let slotCount: Int
  /// Tables of four components for each slot, see `table`.
  let tables: UnsafeMutablePointer<UInt32>
  /// The unstuffed scans, each with zeros behind it.
  private(set) var scans: UnsafeMutablePointer<UInt8>
  /// Bytes of a slot of `scans`, padding included.
  private var scanStride = 0
  /// Decoded samples that don't go straight into the picture.
  private(set) var samples: UnsafeMutablePointer<UInt16>
  private var sampleCapacity: Int

  /// Zeros behind a scan.
  ///
  /// A difference takes 31 bits at the most, so that 1024 of them run over
  /// the scan's end by less than this, with the eight bytes that a look ahead reads.
  static let padding = 4096 + 64
  /// After so many differences the position is checked.
  static let differencesPerCheck = 1024
  /// The components that a scan has at the most.
  static let componentLimit = 4

  init(slotCount: Int) {
    self.slotCount = slotCount
    let tableCount = slotCount * Self.componentLimit * HuffmanDecodingTable.size
    unsafe tables = .allocate(capacity: tableCount)
    unsafe tables.initialize(repeating: 0, count: tableCount)
    unsafe scans = .allocate(capacity: 1)
    sampleCapacity = 1
    unsafe samples = .allocate(capacity: 1)
    unsafe samples.initialize(repeating: 0, count: 1)
  }

  deinit {
    unsafe tables.deallocate()
    unsafe scans.deallocate()
    unsafe samples.deallocate()
  }

  /// Where the table of a slot's component stands in `tables`.
  @inline(__always)
  static func table(slot: Int, component: Int) -> Int {
    (slot &* componentLimit &+ component) &* HuffmanDecodingTable.size
  }

  /// Writes the tables of a slot's components.
  func makeTables(slot: Int, _ header: LosslessJPEGHeader) {
    precondition(slot < slotCount && header.tableIndices.count <= Self.componentLimit, "a slot")
    for (component, index) in header.tableIndices.enumerated() {
      // Within the tables of the slot.
      let table = unsafe tables + Self.table(slot: slot, component: component)
      if let same = header.tableIndices.firstIndex(of: index), same < component {
        let made = unsafe tables + Self.table(slot: slot, component: same)
        unsafe table.update(from: made, count: HuffmanDecodingTable.size)
      } else {
        unsafe HuffmanDecodingTable.fill(table, header.tables[index])
      }
    }
  }

  /// Room for scans of up to `byteCount` bytes in all slots; what stood there is lost.
  func reserveScans(_ byteCount: Int) {
    guard byteCount + Self.padding > scanStride else { return }
    unsafe scans.deallocate()
    scanStride = byteCount + Self.padding
    unsafe scans = .allocate(capacity: slotCount * scanStride)
  }

  /// Where the scan of a slot starts in `scans`.
  func scanStart(slot: Int) -> Int { slot * scanStride }

  /// Room for `count` samples; what stood there is lost.
  func reserveSamples(_ count: Int) {
    guard count > sampleCapacity else { return }
    unsafe samples.deallocate()
    unsafe samples = .allocate(capacity: count)
    unsafe samples.initialize(repeating: 0, count: count)
    sampleCapacity = count
  }

  /// Copies entropy-coded data up to the next marker into a slot of `scans`, without its stuffing
  /// (B.1.1.5), and puts zeros behind it.
  ///
  /// - Returns: The bytes of the scan and where the marker's 0xFF stands, or nil where the data ends
  ///   without a marker.
  func unstuff(_ bytes: Span<UInt8>, slot: Int) -> (byteCount: Int, marker: Int)? {
    precondition(slot < slotCount && bytes.count + Self.padding <= scanStride, "room for the scan")
    let scan = unsafe scans + scanStart(slot: slot)
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
