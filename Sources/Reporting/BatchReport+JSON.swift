internal import Diagnostics
internal import Digest
internal import FileSystem
package import JSON
internal import JobModel

extension BatchReport {
  /// The report for programs.
  package func json(now: Int64) -> JSONValue {
    let engines = engines.sorted { $0.value > $1.value }.map { engine, count -> JSONValue in
      [
        "version": .string(engine.version), "sourceRevision": .string(engine.revision),
        "pixelVersion": .init(engine.pixelVersion), "jobs": .init(count),
      ]
    }
    let recipes = recipes.sorted { $0.key.hex < $1.key.hex }.map { recipe, count -> JSONValue in
      ["digest": .string(recipe.hex), "jobs": .init(count)]
    }
    let hosts = hosts.sorted { $0.key < $1.key }.map { host, totals -> JSONValue in
      [
        "host": .string(host), "jobs": .init(totals.jobs), "seconds": .init(totals.seconds),
        "pixels": .init(totals.pixels),
      ]
    }
    let slowest = slowest.map { job -> JSONValue in
      [
        "job": .init(job.id.rawValue), "input": .string(job.input.location.description),
        "seconds": .init(job.making?.seconds ?? 0), "host": .string(job.making?.host ?? ""),
      ]
    }
    return [
      "batch": BatchStatus(batch).json, "elapsedSeconds": .init(elapsedSeconds(now: now)),
      "seconds": seconds.json, "inputSizes": inputSizes.json, "outputSizes": outputSizes.json,
      "peakMemoryBytes": .init(peakMemoryBytes), "engines": .array(engines),
      "recipes": .array(recipes), "hosts": .array(hosts), "others": .init(others),
      "slowest": .array(slowest),
      "failures": .array(
        failures.map { part in
          [
            "code": .string(part.group.code.rawValue),
            "class": .string("\(part.group.failureClass)"),
            "count": .init(part.group.count),
            "jobs": .array(
              part.jobs.map { job in
                [
                  "job": .init(job.id.rawValue), "input": .string(job.input.description),
                  "attempt": .init(job.attempt), "message": .string(job.failure.message),
                ]
              }
            ),
          ]
        }
      ),
    ]
  }
}

extension Distribution {
  /// Count, range, mean and bins.
  package var json: JSONValue {
    guard let mean else { return ["count": 0] }
    return [
      "count": .init(count), "minimum": .init(minimum), "maximum": .init(maximum),
      "mean": .init(mean),
      "bins": .array(
        bins.map { bin in
          [
            "from": .init(bin.low), "to": bin.high.isFinite ? .init(bin.high) : .null,
            "count": .init(bin.count),
          ]
        }
      ),
    ]
  }
}
