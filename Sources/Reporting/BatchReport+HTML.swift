internal import Diagnostics
internal import Digest
internal import FileSystem
internal import JobModel
internal import ServiceRuntime

extension BatchReport {
  /// The report as one HTML file that needs nothing else: no script, no font, no picture from elsewhere.
  ///
  /// `plots` are SVG elements of the caller's own, with their titles; `pictures` small pictures of jobs.
  package func html(
    now: Int64,
    plots: [(title: String, svg: String)] = [],
    pictures: [ReportPicture] = []
  ) -> String {
    let content = ReportContent(self, now: now)
    var parts = [Self.head(content.title), "<h1>\(HTMLText.escaped(content.title))</h1>"]
    parts.append(Self.definitions(content.totals))
    parts.append(PictureGrid.html(pictures))
    for part in failures {
      parts.append("<h2>Failed: \(HTMLText.escaped(ReportContent.heading(part)))</h2>")
      parts.append(
        Self.table(
          ["Input", "Attempt", "Reason"],
          part.jobs.map { job in
            [
              TerminalText.harmless("\(job.input)"), "\(job.attempt)",
              TerminalText.harmless(job.failure.message),
            ]
          }
        )
      )
      if part.group.count > part.jobs.count {
        parts.append("<p>and \(part.group.count - part.jobs.count) more</p>")
      }
    }
    for (title, distribution, unit) in [
      ("Seconds a job", seconds, { Quantity.significant($0) }),
      ("Sizes of inputs", inputSizes, { Quantity.bytes(Int64($0)) }),
      ("Sizes of outputs", outputSizes, { Quantity.bytes(Int64($0)) }),
    ] as [(String, Distribution, (Double) -> String)] where distribution.count > 0 {
      parts.append("<h2>\(title)</h2>")
      parts.append(DistributionChart.svg(distribution, label: unit))
    }
    for plot in plots { parts.append("<h2>\(HTMLText.escaped(plot.title))</h2>\(plot.svg)") }
    if !content.hosts.isEmpty {
      parts.append("<h2>Hosts</h2>")
      parts.append(Self.table(ReportContent.hostTitles, content.hosts))
    }
    if !content.slowest.isEmpty {
      parts.append("<h2>Slowest</h2>")
      parts.append(Self.table(ReportContent.slowestTitles, content.slowest))
    }
    if !content.provenance.isEmpty {
      parts.append("<h2>Provenance</h2>")
      parts.append(Self.definitions(content.provenance))
    }
    parts.append("</body></html>")
    return parts.joined(separator: "\n") + "\n"
  }

  private static func head(_ title: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    style-src 'unsafe-inline'; img-src data:">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(HTMLText.escaped(title))</title>
    <style>
    body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em;
      color: #222; background: #fff; }
    h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 2em; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; padding: 0.2em 0.8em 0.2em 0; border-bottom: 1px solid #ddd;
      vertical-align: top; overflow-wrap: anywhere; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2em 1.5em; }
    dt { color: #666; } dd { margin: 0; overflow-wrap: anywhere; }
    svg { max-width: 100%; height: auto; }
    .pictures { display: flex; flex-wrap: wrap; gap: 1em; align-items: flex-end; }
    figure { margin: 0; max-width: 240px; } figcaption { font-size: 0.8em; overflow-wrap: anywhere; }
    </style></head><body>
    """
  }

  private static func definitions(_ rows: [ReportContent.Row]) -> String {
    "<dl>"
      + rows.map {
        "<dt>\(HTMLText.escaped($0.name))</dt><dd><bdi>\(HTMLText.escaped($0.value))</bdi></dd>"
      }
      .joined() + "</dl>"
  }

  private static func table(_ titles: [String], _ rows: [[String]]) -> String {
    let head = titles.map { "<th>\(HTMLText.escaped($0))</th>" }.joined()
    let body = rows.map { row in
      "<tr>" + row.map { "<td><bdi>\(HTMLText.escaped($0))</bdi></td>" }.joined() + "</tr>"
    }
    return "<table><tr>\(head)</tr>\n\(body.joined(separator: "\n"))</table>"
  }
}
