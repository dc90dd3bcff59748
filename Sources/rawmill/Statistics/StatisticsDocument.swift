internal import FileSystem
internal import HistogramPlot
internal import JSON
internal import JobModel
internal import JobStore
internal import ServiceRuntime

/// Statistics to print or draw: of one raw, or of a batch.
struct StatisticsDocument {
  /// A histogram of levels.
  struct Levels {
    var firstLevel: Int
    var counts: [Int]
  }

  let json: JSONValue
  let chart: HistogramChart
  /// The exact histograms by plane, of stored codes and, where a table lies between, of levels.
  private let histograms: [(kind: String, plane: String, levels: Levels)]
  private let summary: [String]

  /// What `document` stands for in a statistics document's first member.
  private static let kind = "rawmill statistics"
  /// Bins of an exposure histogram that are drawn.
  private static let exposureLimit = 4_096
  /// The longest document that is read: levels of 16 bits with counts of ten digits, in any layout.
  private static let byteLimit = 16 << 20

  /// The document in a file; nil for a file that holds something else.
  static func stored(in path: FilePath) throws(SystemError) -> JSONValue? {
    let file = try FileDescriptor.open(path, .read)
    guard try file.read(count: 1) == [UInt8(ascii: "{")] else { return nil }
    let bytes = try FileDescriptor.open(path, .read).read(count: byteLimit + 1)
    guard bytes.count <= byteLimit, let json = try? JSONParser.parse(bytes),
      json["document"]?.stringValue == kind
    else { return nil }
    return json
  }

  /// - Throws: `JSONError` for a document that lacks something.
  init(_ json: JSONValue, title: String) throws(JSONError) {
    self.json = json
    var planes: [HistogramChart.Plane] = []
    var histograms: [(kind: String, plane: String, levels: Levels)] = []
    var rows: [[String]] = []
    let members = try json.requireArray("planes")
    guard !members.isEmpty else {
      throw .unexpectedKind(key: "planes", expected: "a plane at least", found: "none")
    }
    for plane in members {
      let name = try plane.requireString("plane")
      let stored = try Levels(json: plane.require("stored"))
      let linearized = try plane.optional("linearized") { (key) throws(JSONError) in
        try Levels(json: plane.require(key))
      }
      histograms.append(("stored", name, stored))
      if let linearized { histograms.append(("linearized", name, linearized)) }
      let levels = linearized ?? stored
      let summary = try PlaneSummary(plane)
      planes.append(
        HistogramChart.Plane(
          name: name,
          firstLevel: levels.firstLevel,
          counts: levels.counts,
          black: try plane.requireLevel("black"),
          white: try plane.requireLevel("white"),
          saturationLevel: try plane.optional("saturationLevel") { (key) throws(JSONError) in
            Int(try plane.requireLevel(key))
          },
          exposure: try plane.require("exposure").requireCounts(
            "counts",
            limit: Self.exposureLimit
          ),
          summary: summary.words,
          noise: try HistogramChart.Noise(plane)
        )
      )
      rows.append(summary.cells)
    }
    self.histograms = histograms
    let camera = json["camera"]
    let words = [
      camera?["uniqueCameraModel"]?.stringValue ?? camera?["model"]?.stringValue,
      camera?["isoSpeed"]?.integerValue.map { "ISO \($0)" },
    ]
    chart = HistogramChart(
      title: ([title] + words.compactMap(\.self)).joined(separator: ", "),
      planes: planes
    )
    summary = [chart.title] + PlaneSummary.table(rows) + PictureSummary.lines(of: json)
  }

  /// The sums of a batch.
  init(_ planes: [PlaneSum], batch: BatchID) {
    let photos = planes.map(\.photos).max() ?? 0
    chart = HistogramChart(
      title: "batch \(batch), \(photos) photos",
      planes: planes.map { plane in
        HistogramChart.Plane(
          name: plane.plane,
          firstLevel: plane.levels.first?.level ?? 0,
          counts: plane.counts,
          black: plane.black,
          white: plane.white,
          saturationLevel: nil,
          exposure: plane.exposure,
          summary: PlaneSummary.percent(plane.clipped, of: plane.samples) + " clipped",
          noise: nil
        )
      }
    )
    histograms = planes.map { plane in
      (
        "linearized", plane.plane,
        Levels(firstLevel: plane.levels.first?.level ?? 0, counts: plane.counts)
      )
    }
    json = [
      "document": "rawmill batch histogram", "batch": .init(batch.rawValue),
      "photos": .init(photos),
      "planes": .array(
        planes.map { plane in
          [
            "plane": .string(plane.plane), "photos": .init(plane.photos),
            "count": .init(plane.samples), "black": .init(plane.black), "white": .init(plane.white),
            "clippedCount": .init(plane.clipped),
            "exposure": ["counts": .array(plane.exposure.map { .init($0) })],
            "linearized": [
              "firstLevel": .init(plane.levels.first?.level ?? 0),
              "counts": .array(plane.counts.map { .init($0) }),
            ],
          ]
        }
      ),
    ]
    summary =
      [chart.title]
      + planes.map { plane in
        "  \(plane.plane): \(plane.samples) samples, "
          + PlaneSummary.percent(plane.clipped, of: plane.samples) + " clipped"
      }
  }

  /// Plane by plane in words.
  var lines: [String] { summary }

  /// A line for each level that occurs.
  var csv: String {
    var text = "histogram,plane,level,samples\n"
    for (kind, plane, levels) in histograms {
      for (index, samples) in levels.counts.enumerated() where samples > 0 {
        text += "\(kind),\(plane),\(levels.firstLevel + index),\(samples)\n"
      }
    }
    return text
  }
}
