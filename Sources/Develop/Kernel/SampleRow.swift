/// A row of samples in a lane's scratch, read and written eight at a time at any index.
///
/// It may be indexed from `-SampleRow.margin` to `capacity + margin`, so that stencils need no special
/// case at the ends: what lies there is finite or garbage, but never reaches an output pixel.
// @safe: the row is cut from `ScratchMemory`, which reserves the margins; debug builds check the end.
@safe
struct SampleRow {
  private let base: UnsafeMutablePointer<Float>
  private let capacity: Int

  /// Samples that may be touched before the start and after the end.
  static var margin: Int { 16 }

  @unsafe
  init(base: UnsafeMutablePointer<Float>, capacity: Int) {
    unsafe self.base = base
    self.capacity = capacity
  }

  /// The same row with index 0 at `offset`, which lies within it.
  ///
  /// Then less may be touched after the end and more before the start.
  @inline(__always)
  func advanced(by offset: Int) -> SampleRow {
    unsafe SampleRow(base: base + offset, capacity: capacity - offset)
  }

  /// Eight samples from `index`.
  @inline(__always)
  subscript(lanes index: Int) -> Lanes {
    get {
      assert(index + 8 <= capacity + Self.margin)
      return unsafe UnsafeRawPointer(base + index).loadUnaligned(as: Lanes.self)
    }
    nonmutating set {
      assert(index + 8 <= capacity + Self.margin)
      unsafe UnsafeMutableRawPointer(base + index).storeBytes(of: newValue, as: Lanes.self)
    }
  }

  /// One sample.
  @inline(__always)
  subscript(index: Int) -> Float {
    get {
      assert(index < capacity + Self.margin)
      return unsafe base[index]
    }
    nonmutating set {
      assert(index < capacity + Self.margin)
      unsafe base[index] = newValue
    }
  }

  /// Eight bit patterns from `index`.
  @inline(__always)
  subscript(bits index: Int) -> BitLanes {
    get { self[lanes: index].bits }
    nonmutating set { self[lanes: index] = Lanes(bits: newValue) }
  }

  /// One bit pattern.
  @inline(__always)
  subscript(bit index: Int) -> UInt32 {
    get { self[index].bitPattern }
    nonmutating set { self[index] = Float(bitPattern: newValue) }
  }
}
