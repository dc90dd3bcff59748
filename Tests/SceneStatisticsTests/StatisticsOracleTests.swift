import DNGFormat
import FileSystem
import Raster
import RawModel
import SceneStatistics
import TestSupport
import Testing

/// Statistics of the corpus beside numpy's, computed from the written definitions.
@Suite(
  .enabled(if: Corpus.isAvailable, Corpus.missingComment),
  .enabled(if: OraclePython.isAvailable, OraclePython.missingComment)
)
struct StatisticsOracleTests {
  @Test(arguments: [
    "photos/hero6_lossless", "photos/kissx4_colorchart", "variants/d1339_bggr_14bit_ljpeg",
    "edge/defaultcrop_fraction", "edge/blacklevel_4x4",
  ])
  func mosaics(file: String) throws {
    let frame = try DNGReader.read(
      try Corpus.bytes("\(file).dng"),
      scheduler: TileScheduler(laneCount: 2)
    )
    let statistics = try SensorStatistics.measure(frame, scheduler: TileScheduler(laneCount: 2))
    let folder = try TemporaryDirectory()
    let samples = try folder.write(Self.bytes(of: frame), to: "samples.raw")
    let active = frame.description.activeArea
    let area = statistics.area
    // The place of a plane in the area's own cell.
    let planes = statistics.planes.enumerated().map { index, plane in
      let x = (index & 1) ^ ((area.left - active.left) & 1)
      let y = (index >> 1) ^ ((area.top - active.top) & 1)
      return "\(plane.plane.rawValue):\(x):\(y):\(plane.black):\(plane.white)"
    }
    let size = frame.description.size
    let numbers = [size.width, size.height, area.left, area.top, area.width, area.height, 2]
    let text = try OraclePython.run(
      "raw_statistics.py",
      arguments: ["\(samples)"] + numbers.map(String.init) + planes
    )
    let lines = text.split(separator: "\n")
    try #require(lines.count == 4)
    for (index, line) in lines.enumerated() {
      try Self.compare(statistics, index, with: line, in: file)
    }
  }

  private static func compare(
    _ statistics: SensorStatistics,
    _ index: Int,
    with line: Substring,
    in file: String
  ) throws {
    let plane = statistics.planes[index]
    var words: [String: String] = [:]
    for word in line.split(separator: " ").dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      words[parts[0]] = parts[1]
    }
    var exact = [
      "count": plane.count, "minimum": plane.minimum, "maximum": plane.maximum,
      "clipped": plane.clippedCount, "under": plane.underexposedCount,
    ]
    for bin in [0, 1, 2, 5, 10, 20, 40] { exact["ev\(bin)"] = plane.exposure.counts[bin] }
    for (fraction, level) in zip(PlaneStatistics.percentileFractions, plane.percentiles) {
      exact[fraction == 0.0001 ? "p0.0001" : "p\(fraction)"] = level
    }
    for (key, value) in exact { #expect(words[key] == "\(value)", "\(file) \(plane.plane) \(key)") }
    #expect(words["saturation"] == plane.saturationLevel.map { "\($0)" } ?? "none")
    func close(_ key: String, _ value: Double?, _ tolerance: Double) throws {
      let word = try #require(words[key])
      guard let value else {
        #expect(word == "none", "\(file) \(plane.plane) \(key)")
        return
      }
      let expected = try #require(Double(word))
      #expect(abs(value - expected) <= tolerance * abs(expected), "\(file) \(plane.plane) \(key)")
    }
    try close("mean", plane.mean, 1e-12)
    try close("deviation", plane.standardDeviation, 1e-9)
    try close("slope", statistics.noise[index]?.slope, 1e-6)
    try close("offset", statistics.noise[index]?.offset, 1e-6)
  }

  private static func bytes(of frame: borrowing RawFrame) -> [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<frame.samples.height {
      for value in frame.samples.values(ofRow: y) {
        let sample = UInt16(value)
        bytes.append(UInt8(truncatingIfNeeded: sample))
        bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
      }
    }
    return bytes
  }
}
