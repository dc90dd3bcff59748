internal import JSON
internal import ServiceRuntime

/// The statistics of one plane in words.
struct PlaneSummary {
  private let name: String
  private let values: [String]
  /// For a picture's legend.
  let words: String

  private static let heads = [
    "plane", "black", "white", "min", "median", "99.9 %", "max", "mean", "sigma", "clipped",
    "saturates", "under", "headroom", "noise S", "noise O", "range",
  ]

  /// - Throws: `JSONError` for a document that lacks something.
  init(_ plane: JSONValue) throws(JSONError) {
    name = try plane.requireString("plane")
    let count: Int = try plane.requireInteger("count")
    let clipped: Int = try plane.requireInteger("clippedCount")
    let headroom = plane["headroomEV"]?.doubleValue
    let headroomText = headroom.map { "\(Self.rounded($0, 2)) EV" } ?? "-"
    let saturation = plane["saturationLevel"]?.integerValue
    values = [
      Self.rounded(try plane.requireDouble("black"), 1),
      Self.rounded(try plane.requireDouble("white"), 0),
      "\(try plane.requireInteger("minimum") as Int)",
      "\(try plane.requireInteger("p50") as Int)",
      "\(try plane.requireInteger("p99_9") as Int)",
      "\(try plane.requireInteger("maximum") as Int)",
      Self.rounded(try plane.requireDouble("mean"), 1),
      Self.rounded(try plane.requireDouble("standardDeviation"), 1),
      Self.percent(clipped, of: count), saturation.map { "\($0)" } ?? "-",
      Self.percent(try plane.requireInteger("underexposedCount"), of: count), headroomText,
      Self.scientific(plane["noise"]?["slope"]?.doubleValue),
      Self.scientific(plane["noise"]?["offset"]?.doubleValue),
      plane["noise"]?["dynamicRangeEV"]?.doubleValue.map { "\(Self.rounded($0, 1)) EV" } ?? "-",
    ]
    words =
      "\(Self.percent(clipped, of: count)) clipped, headroom \(headroomText)"
  }

  /// The cells of its row in `table`.
  var cells: [String] { [name] + values }

  /// Rows with their heads as lines.
  static func table(_ rows: [[String]]) -> [String] {
    var table = TextTable(
      heads.enumerated().map { ($0.element, $0.offset == 0 ? .leading : .trailing) }
    )
    for row in rows { table.add(row) }
    return table.lines()
  }

  /// A number with some decimals.
  static func rounded(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "-" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let whole = Int((value * scale).rounded())
    guard decimals > 0 else { return "\(whole)" }
    let digits = String(whole.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return (whole < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// A share in per cent.
  static func percent(_ part: Int, of whole: Int) -> String {
    whole > 0 ? rounded(100 * Double(part) / Double(whole), 2) + " %" : "-"
  }

  /// Three digits and a power of ten.
  static func scientific(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "-" }
    if value == 0 { return "0" }
    var size = value.magnitude
    var exponent = 0
    while size >= 9.995 {
      size /= 10
      exponent += 1
    }
    while size < 0.9995 {
      size *= 10
      exponent -= 1
    }
    return (value < 0 ? "-" : "") + rounded(size, 2) + "e\(exponent)"
  }
}
