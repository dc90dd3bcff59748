/// Noise that depends on the position alone: the same for any order and any number of lanes.
enum PositionNoise {
  /// 0 to 65,535, evenly distributed: the finalizer of MurmurHash3 (Appleby, public domain) over both
  /// coordinates.
  @inline(__always)
  static func value(x: Int, y: Int) -> UInt16 {
    var hash =
      UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
    hash ^= hash &>> 16
    hash = hash &* 0x85EB_CA6B
    hash ^= hash &>> 13
    hash = hash &* 0xC2B2_AE35
    hash ^= hash &>> 16
    return UInt16(truncatingIfNeeded: hash >> 8)
  }
}
