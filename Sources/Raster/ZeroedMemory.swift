internal import Glibc

// Planes are large and written once. Small blocks come from calloc; large ones straight from the
// kernel, as zero pages without a pass over the memory, and in pages of 2 MiB where the kernel gives
// them: the faults of 4 KiB pages took a fifth of the time in which a 24-megapixel raw is decoded.
// A failure is a nil and not a trap.

/// From this size on a block is mapped.
private let mappingThreshold = 4 << 20
private let hugePageSize = 2 << 20
/// In front of a block stand its start and the length of its mapping; 0 marks a block of calloc.
private let headerSize = 64

/// Zeroed memory aligned to 64 bytes, or nil.
@unsafe
func allocateZeroed(byteCount: Int) -> UnsafeMutableRawPointer? {
  if byteCount >= mappingThreshold, let pointer = unsafe mapZeroed(byteCount: byteCount) {
    return unsafe pointer
  }
  guard let block = unsafe calloc(1, byteCount + 2 * headerSize) else { return nil }
  let pointer = unsafe (block + headerSize).alignedUp(toMultipleOf: 64)
  unsafe writeHeader(pointer, start: block, mappedByteCount: 0)
  return unsafe pointer
}

/// Frees what `allocateZeroed` returned.
@unsafe
func freeZeroed(_ pointer: UnsafeMutableRawPointer) {
  let header = unsafe pointer - headerSize
  let start = unsafe UnsafeMutableRawPointer(bitPattern: header.load(as: UInt.self))
  let byteCount = unsafe header.load(fromByteOffset: 8, as: Int.self)
  if byteCount > 0 {
    unsafe munmap(start, byteCount)
  } else {
    unsafe free(start)
  }
}

@unsafe
private func mapZeroed(byteCount: Int) -> UnsafeMutableRawPointer? {
  // Room to start at a boundary of large pages, so that the whole block can be made of them.
  let mappedByteCount = byteCount + headerSize + hugePageSize
  let map = unsafe mmap(
    nil,
    mappedByteCount,
    PROT_READ | PROT_WRITE,
    MAP_PRIVATE | MAP_ANONYMOUS,
    -1,
    0
  )
  guard let map = unsafe map, unsafe map != MAP_FAILED else { return nil }
  let aligned = unsafe map.alignedUp(toMultipleOf: hugePageSize)
  // Only a wish: without large pages the memory is the same.
  _ = unsafe madvise(aligned, byteCount + headerSize, MADV_HUGEPAGE)
  let pointer = unsafe aligned + headerSize
  unsafe writeHeader(pointer, start: map, mappedByteCount: mappedByteCount)
  return unsafe pointer
}

@unsafe
private func writeHeader(
  _ pointer: UnsafeMutableRawPointer,
  start: UnsafeMutableRawPointer,
  mappedByteCount: Int
) {
  let header = unsafe pointer - headerSize
  unsafe header.storeBytes(of: UInt(bitPattern: start), as: UInt.self)
  unsafe header.storeBytes(of: mappedByteCount, toByteOffset: 8, as: Int.self)
}
