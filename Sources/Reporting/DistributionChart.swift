internal import ServiceRuntime

/// Draws a distribution as bars.
enum DistributionChart {
  private static let width = 720.0
  private static let height = 200.0
  private static let margin = 24.0

  /// An SVG element; `label` names an edge.
  static func svg(_ distribution: Distribution, label: (Double) -> String) -> String {
    let bins = distribution.bins
    let top = Double(bins.map(\.count).max() ?? 1)
    let step = width / Double(max(bins.count, 1))
    var parts = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 \(text(width)) "
        + "\(text(height + 2 * margin))\" width=\"\(text(width))\" font-size=\"11\" fill=\"#444\">"
    ]
    for (index, bin) in bins.enumerated() {
      let x = Double(index) * step
      let length = height * Double(bin.count) / top
      let y = margin + height - length
      if bin.count > 0 {
        parts.append(
          "<rect x=\"\(text(x + 1))\" y=\"\(text(y))\" width=\"\(text(max(1, step - 2)))\" "
            + "height=\"\(text(length))\" fill=\"#4a7fb5\"/>"
            + "<text x=\"\(text(x + step / 2))\" y=\"\(text(y - 4))\" text-anchor=\"middle\">"
            + "\(bin.count)</text>"
        )
      }
      parts.append(
        "<text x=\"\(text(x + 2))\" y=\"\(text(margin + height + 14))\">"
          + "\(HTMLText.escaped(label(bin.low)))</text>"
      )
    }
    parts.append(
      "<line x1=\"0\" x2=\"\(text(width))\" y1=\"\(text(margin + height))\" "
        + "y2=\"\(text(margin + height))\" stroke=\"#444\"/></svg>"
    )
    return parts.joined()
  }

  private static func text(_ value: Double) -> String { Quantity.fixed(value, decimals: 1) }
}
