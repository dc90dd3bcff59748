import FileSystem
import HistogramPlot
import TestSupport
import Testing

@Suite struct PlotTests {
  /// Two planes with a pile at 900, noise for one of them, and a title that markup must not break.
  private static let chart = HistogramChart(title: "a<b> & \"c\".dng", planes: [red, blue])

  private static let red: HistogramChart.Plane = {
    let counts: [Int] = (0..<800).map { 1 + $0 * 3 } + [40_000]
    let exposure: [Int] = (0..<48).map { 1 << ($0 / 3) }
    let bins: [(signal: Double, variance: Double)] = (1...40).map { bin in
      let signal = Double(bin) / 40
      return (signal, 1e-4 * signal + 1e-6)
    }
    return HistogramChart.Plane(
      name: "red",
      firstLevel: 100,
      counts: counts,
      black: 64,
      white: 1023,
      saturationLevel: 900,
      exposure: exposure,
      summary: "3.10 % clipped",
      noise: HistogramChart.Noise(
        bins: bins,
        fit: .init(slope: 1e-4, offset: 1e-6),
        declared: .init(slope: 2e-4, offset: 1e-6)
      )
    )
  }()

  private static let blue = HistogramChart.Plane(
    name: "blue",
    firstLevel: 64,
    counts: [5, 0, 7],
    black: 64,
    white: 1023,
    saturationLevel: nil,
    exposure: [Int](repeating: 0, count: 48),
    summary: "",
    noise: nil
  )

  @Test func svgSaysWhatIsDrawn() {
    let svg = Self.chart.plot.svg
    #expect(svg.contains(">a&lt;b&gt; &amp; \"c\".dng</text>"))
    #expect(svg.contains(">black 64</text>") && svg.contains(">white 1023</text>"))
    #expect(svg.contains(">saturates 900</text>") && svg.contains(">red: 3.10 % clipped</text>"))
    #expect(svg.contains("EV below white") && svg.contains("NoiseProfile"))
    // A dot for each bin of noise.
    #expect(svg.split(separator: "<circle").count == 41)
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    #expect(Self.chart.plot.svg == svg)
  }

  @Test func withoutNoiseThereIsNoDiagramOfIt() {
    var chart = Self.chart
    chart.planes[0].noise = nil
    #expect(chart.plot.height < Self.chart.plot.height)
    #expect(!chart.plot.svg.contains("NoiseProfile"))
    // Nothing at all is a picture too.
    #expect(HistogramChart(title: "", planes: []).plot.svg.hasSuffix("</svg>\n"))
  }

  /// Another program reads the PNG: its size, its corner, its colours.
  @Test(.enabled(if: OraclePython.isAvailable, OraclePython.missingComment))
  func pngIsRead() throws {
    let folder = try TemporaryDirectory()
    let plot = Self.chart.plot
    let png = try folder.write(plot.png, to: "a.png")
    let svg = try folder.write(Array(plot.svg.utf8), to: "a.svg")
    let text = try OraclePython.run(
      "plot_files.py",
      arguments: [png.displayText, svg.displayText]
    )
    // Size, mode, corner, pixels that are red, pixels that are blue, the SVG's root.
    let words = text.split { $0.isWhitespace }.map { String($0) }
    #expect(words[0] == "\(plot.width)x\(plot.height)" && words[1] == "RGB")
    #expect(words[2] == "255,255,255")
    #expect((Int(words[3]) ?? 0) > 1_000 && (Int(words[4]) ?? 0) > 500, "\(text)")
    #expect(words[5] == "{http://www.w3.org/2000/svg}svg")
  }
}
