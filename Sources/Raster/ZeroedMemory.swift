internal import Glibc

// Planes are allocated with calloc: large blocks come as fresh zero pages from the kernel, without a
// pass over the memory, and a failure is a nil and not a trap.

/// Zeroed memory aligned to 64 bytes, or nil; the block itself starts 8 to 71 bytes earlier.
@unsafe
func allocateZeroed(byteCount: Int) -> UnsafeMutableRawPointer? {
  let header = MemoryLayout<UInt>.size
  guard let block = unsafe calloc(1, byteCount + header + 64) else { return nil }
  let pointer = unsafe (block + header).alignedUp(toMultipleOf: 64)
  unsafe (pointer - header).storeBytes(of: UInt(bitPattern: block), as: UInt.self)
  return unsafe pointer
}

/// Frees what `allocateZeroed` returned.
@unsafe
func freeZeroed(_ pointer: UnsafeMutableRawPointer) {
  let header = MemoryLayout<UInt>.size
  let address = unsafe (pointer - header).load(as: UInt.self)
  unsafe free(UnsafeMutableRawPointer(bitPattern: address))
}
