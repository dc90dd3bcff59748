package import Raster

/// The stored samples of a raw in memory, in the narrowest type that holds each of them exactly.
///
/// A row is the picture's width times the samples of a pixel, which are interleaved.
package enum StoredSamples: ~Copyable, Sendable {
  /// Unsigned integers of 1 to 16 bits.
  case uint16(Plane<UInt16>)
  /// Unsigned integers of 17 to 32 bits.
  case uint32(Plane<UInt32>)
  /// Floating-point samples; those of 16 and 24 bits are widened, which is exact.
  case float32(Plane<Float>)

  /// Samples in a row.
  package var width: Int {
    switch self {
    case .uint16(let plane): plane.width
    case .uint32(let plane): plane.width
    case .float32(let plane): plane.width
    }
  }

  /// Rows.
  package var height: Int {
    switch self {
    case .uint16(let plane): plane.height
    case .uint32(let plane): plane.height
    case .float32(let plane): plane.height
    }
  }

  /// Which case it is, for messages and for branches that don't need the plane.
  package var kind: Kind {
    switch self {
    case .uint16: .uint16
    case .uint32: .uint32
    case .float32: .float32
    }
  }

  /// The type of a sample in memory.
  package enum Kind: Hashable, Sendable {
    case uint16
    case uint32
    case float32
  }

  /// A row of samples of any kind; double precision holds each exactly.
  package borrowing func values(ofRow y: Int) -> [Double] {
    switch self {
    case .uint16(let plane): plane.withRow(y) { row in row.indices.map { Double(row[$0]) } }
    case .uint32(let plane): plane.withRow(y) { row in row.indices.map { Double(row[$0]) } }
    case .float32(let plane): plane.withRow(y) { row in row.indices.map { Double(row[$0]) } }
    }
  }
}

extension StoredSamples.Kind: CustomStringConvertible {
  package var description: String {
    switch self {
    case .uint16: "16-bit integer"
    case .uint32: "32-bit integer"
    case .float32: "floating-point"
    }
  }
}
