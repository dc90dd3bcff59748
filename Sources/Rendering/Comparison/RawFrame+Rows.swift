internal import Raster
internal import RawModel

extension RawFrame {
  /// Whether a row of stored samples is the same in both, number for number.
  borrowing func hasSameRow(_ y: Int, as other: borrowing RawFrame) -> Bool {
    switch samples {
    case .uint16(let left):
      switch other.samples {
      case .uint16(let right): return Self.isSame(left, right, y)
      default: return false
      }
    case .uint32(let left):
      switch other.samples {
      case .uint32(let right): return Self.isSame(left, right, y)
      default: return false
      }
    case .float32(let left):
      switch other.samples {
      case .float32(let right): return Self.isSame(left, right, y)
      default: return false
      }
    }
  }

  private static func isSame(
    _ left: borrowing Plane<UInt16>,
    _ right: borrowing Plane<UInt16>,
    _ y: Int
  ) -> Bool {
    left.withRow(y) { left in
      right.withRow(y) { right in
        // Without a branch a sample: most rows are the same to their end.
        var difference: UInt16 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
      }
    }
  }

  private static func isSame<Sample: Equatable>(
    _ left: borrowing Plane<Sample>,
    _ right: borrowing Plane<Sample>,
    _ y: Int
  ) -> Bool {
    left.withRow(y) { left in
      right.withRow(y) { right in left.indices.allSatisfy { left[$0] == right[$0] } }
    }
  }
}
