import Raster
import Testing

@Suite struct PlaneTests {
  @Test func rowsAreZeroAlignedAndApart() throws {
    var plane = try Plane<UInt16>(width: 33, height: 3)
    #expect(plane.width == 33 && plane.height == 3)
    #expect(plane.stride == 64)
    unsafe plane.withUnsafeSamples { base in
      #expect(Int(bitPattern: base) % 64 == 0)
      for index in 0..<(plane.stride * plane.height) { unsafe #expect(base[index] == 0) }
    }
    for y in 0..<3 {
      plane.withMutableRow(y) { row in
        for x in row.indices { row[x] = UInt16(100 * y + x) }
      }
    }
    for y in 0..<3 {
      plane.withRow(y) { row in
        #expect(row.count == 33)
        #expect(row[0] == UInt16(100 * y) && row[32] == UInt16(100 * y + 32))
      }
    }
  }

  @Test func emptyPlanesExist() throws {
    let plane = try Plane<Float>(width: 0, height: 0)
    #expect(plane.width == 0 && plane.height == 0)
  }

  @Test(arguments: [(-1, 1), (1, -1), (Int.max, 1), (Int.max, Int.max), (1 << 40, 1 << 40)])
  func absurdSizesAreRefused(width: Int, height: Int) {
    #expect(throws: RasterError.self) { _ = try Plane<UInt16>(width: width, height: height) }
  }

  @Test func oneByteOverTheLimitIsRefused() {
    let rows = Plane<UInt8>.byteLimit / 64 + 1
    #expect(throws: RasterError.allocationRefused(bytes: rows * 64, limit: 8 << 30)) {
      _ = try Plane<UInt8>(width: 64, height: rows)
    }
  }

  @Test func tileWriterWritesItsColumnsOnly() throws {
    var plane = try Plane<UInt8>(width: 8, height: 2)
    plane.withTileWriter { writer in
      writer.withRow(1, columns: 2..<5) { row in
        #expect(row.count == 3)
        for x in row.indices { row[x] = 9 }
      }
    }
    let rows = (0..<2).map { y in plane.withRow(y) { row in row.indices.map { row[$0] } } }
    #expect(rows == [[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 9, 9, 9, 0, 0, 0]])
  }

  @Test func rowOutsideThePlaneTraps() async {
    await #expect(processExitsWith: .failure) {
      let plane = try Plane<UInt8>(width: 1, height: 1)
      plane.withRow(1) { _ in }
    }
  }
}
