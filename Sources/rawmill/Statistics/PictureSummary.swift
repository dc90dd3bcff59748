internal import JSON

/// The statistics of the picture as a whole in words.
enum PictureSummary {
  /// The lines; what a raw does not have is left out.
  static func lines(of document: JSONValue) -> [String] {
    var lines: [String] = []
    if let plane = document["limitingPlane"]?.stringValue,
      let headroom = document["headroomEV"]?.doubleValue
    {
      let amount = PlaneSummary.rounded(abs(headroom), 2)
      lines.append(
        headroom > 0
          ? "\(plane) clips first, \(amount) EV brighter" : "\(plane) clips first, \(amount) EV ago"
      )
    }
    if let ratio = document["greenRatio"]?.doubleValue {
      let local = document["greenLocalDifference"]?.doubleValue.map {
        ", locally \(PlaneSummary.rounded(100 * $0, 2)) % apart"
      }
      lines.append("green1 / green2 \(PlaneSummary.rounded(ratio, 4))\(local ?? "")")
    }
    let neutrals = [
      ("as shot", "asShotNeutral"), ("grey world", "greyWorldNeutral"),
      ("white patch", "whitePatchNeutral"),
    ]
    for (name, key) in neutrals {
      guard let values = document[key]?.arrayValue?.compactMap(\.doubleValue), values.count == 3
      else { continue }
      let text = values.map { PlaneSummary.rounded($0, 4) }.joined(separator: " ")
      lines.append("neutral \(name): \(text)")
    }
    for plane in document["planes"]?.arrayValue ?? [] {
      guard let name = plane["plane"]?.stringValue,
        let mean = plane["masked"]?["mean"]?.doubleValue,
        let black = plane["black"]?.doubleValue
      else { continue }
      lines.append(
        "\(name): masked pixels \(PlaneSummary.rounded(mean, 2)), declared black "
          + PlaneSummary.rounded(black, 2)
      )
    }
    return lines
  }
}
