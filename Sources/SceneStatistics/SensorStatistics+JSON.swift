internal import ColorScience
package import JSON
internal import Raster
internal import RawModel

extension SensorStatistics {
  /// The statistics as a document: every number and every histogram, levels as plain arrays.
  ///
  /// `binCount` adds histograms of that many bins from black to white.
  package func document(binCount: Int?) -> [(key: String, value: JSONValue)] {
    members { plane in
      var members: [(key: String, value: JSONValue)] = [("stored", plane.stored.json)]
      if plane.isLinearized { members.append(("linearized", plane.linearized.json)) }
      if let binCount { members.append(("bins", plane.bins(binCount))) }
      return members
    }
  }

  /// The statistics as the database's rows take them: histograms of levels packed, and the raw's
  /// LinearizationTable as 16-bit numbers, the high byte first.
  package func rows(binCount: Int?, table: [UInt16]?) -> [(key: String, value: JSONValue)] {
    let levels = table.map { table in
      JSONValue.string(Self.hexadecimal(table.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }))
    }
    return [("linearizationTable", levels ?? .null)]
      + members { plane in
        let packed = PackedHistogram(plane.stored)
        var members: [(key: String, value: JSONValue)] = [
          (
            "histogram",
            .object(omittingAbsent: [
              "firstLevel": .init(packed.firstLevel),
              "levelCount": .init(packed.levelCount),
              "occupied": packed.occupied.map { .string(Self.hexadecimal($0)) },
              "counts": .string(Self.hexadecimal(packed.counts)),
            ])
          )
        ]
        if let binCount { members.append(("bins", plane.bins(binCount))) }
        return members
      }
  }

  private func members(
    _ histograms: (PlaneStatistics) -> [(key: String, value: JSONValue)]
  ) -> [(key: String, value: JSONValue)] {
    let planes = planes.indices.map { index -> JSONValue in
      .object(
        self.planes[index].scalars + [
          ("noise", noise[index]?.json ?? .null),
          (
            "declaredNoise",
            declaredNoise[index].map {
              ["slope": .init($0.scale), "offset": .init($0.offset)]
            } ?? .null
          ),
          (
            "masked",
            masked[index].map {
              [
                "count": .init($0.count), "mean": .init($0.mean),
                "standardDeviation": .init($0.standardDeviation),
              ]
            } ?? .null
          ),
        ] + histograms(self.planes[index])
      )
    }
    return [
      (
        "area",
        [
          "left": .init(area.left), "top": .init(area.top), "width": .init(area.width),
          "height": .init(area.height),
        ]
      ),
      ("levelsPerUnit", .init(levelsPerUnit)),
      ("limitingPlane", limiting.map { .string($0.plane.rawValue) } ?? .null),
      ("headroomEV", .init(limiting?.headroomEV)),
      ("greenRatio", .init(greenBalance?.ratio)),
      ("greenLocalDifference", .init(greenBalance?.localDifference)),
      ("greyWorldNeutral", Self.json(greyWorldNeutral)),
      ("whitePatchNeutral", Self.json(whitePatchNeutral)),
      ("asShotNeutral", Self.json(asShotNeutral)),
      ("planes", .array(planes)),
    ]
  }

  private static func json(_ neutral: Vector3?) -> JSONValue {
    neutral.map { [.init($0.x), .init($0.y), .init($0.z)] } ?? .null
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
