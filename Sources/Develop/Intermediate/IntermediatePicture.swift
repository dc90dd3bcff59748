internal import Raster

/// A picture between two passes: three planes of `IntermediateCode`, 6 bytes a pixel.
///
/// One is alive beside the stored samples and the picture that is made, so that a render to 8 bit takes 11
/// bytes a pixel of a mosaic; where two passes with one in between follow each other, 14 for a time.
// @safe: `bases` point into the planes' heap blocks, which neither move nor go while self lives.
// Sendable: lanes write disjoint tiles in one pass and only read in the next, which starts when all
// lanes of the first have ended.
@safe
final class IntermediatePicture: @unchecked Sendable {
  /// The part of the pass's grid that it holds.
  let region: Region
  private let bases: [3 of UnsafeMutablePointer<UInt16>]
  private let stride: Int
  private var planes: IntermediatePlanes

  /// - Throws: `RasterError` where memory was refused.
  init(_ region: Region) throws(RasterError) {
    // Room for whole vectors at the end of the last row.
    var planes = try IntermediatePlanes(width: region.width + 16, height: region.height + 1)
    self.region = region
    stride = planes.red.stride
    unsafe bases = [
      planes.red.withUnsafeMutableSamples { unsafe $0 },
      planes.green.withUnsafeMutableSamples { unsafe $0 },
      planes.blue.withUnsafeMutableSamples { unsafe $0 },
    ]
    self.planes = planes
  }

  /// The codes of a row of one colour, from column `x`; both lie within the region.
  @inline(__always)
  @unsafe
  func pointer(_ color: Int, x: Int, y: Int) -> UnsafeMutablePointer<UInt16> {
    assert(y >= region.top && y < region.bottom && x >= region.left && x < region.right)
    return unsafe bases[color] + ((y - region.top) * stride + (x - region.left))
  }

  /// Reads the columns `columns` of a row, which lie within the region; up to seven more are written.
  func read(_ color: Int, y: Int, columns: Range<Int>, into row: SampleRow) {
    let codes = unsafe pointer(color, x: columns.lowerBound, y: y)
    for i in Swift.stride(from: 0, to: columns.count, by: 8) {
      // The planes have sixteen columns more than the region.
      var pairs = SIMD16<UInt16>()
      pairs.evenHalf = unsafe UnsafeRawPointer(codes + i).loadUnaligned(as: SIMD8<UInt16>.self)
      // Little endian: a word of a code and a zero is the code.
      row[lanes: i] = IntermediateCode.decode(unsafe unsafeBitCast(pairs, to: BitLanes.self))
    }
  }
}

/// The planes of an intermediate picture.
struct IntermediatePlanes: ~Copyable {
  var red: Plane<UInt16>
  var green: Plane<UInt16>
  var blue: Plane<UInt16>

  init(width: Int, height: Int) throws(RasterError) {
    let red = try Plane<UInt16>(width: width, height: height)
    let green = try Plane<UInt16>(width: width, height: height)
    let blue = try Plane<UInt16>(width: width, height: height)
    self.red = red
    self.green = green
    self.blue = blue
  }
}
