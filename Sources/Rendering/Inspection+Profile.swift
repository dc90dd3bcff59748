internal import JSON
internal import RawModel

// What `inspect` says of the camera profile and of the rendering hints: summaries, not tables.

extension CameraProfile {
  var json: JSONValue {
    .object(omittingAbsent: [
      "name": name.map { .string($0) },
      "groupName": groupName.map { .string($0) },
      "copyright": copyright.map { .string($0) },
      "embedPolicy": .string(String(describing: embedPolicy)),
      "calibrationSignature": calibrationSignature.isEmpty ? nil : .string(calibrationSignature),
      "hueSatMaps": hueSatMaps.isEmpty ? nil : .array(hueSatMaps.map(\.json)),
      "lookTable": lookTable?.json,
      "toneCurvePoints": toneCurve.map { .init($0.points.count) },
      "rgbTables": rgbTables.map { tables in
        .array(
          tables.tables.map { table in
            [
              "semanticName": .string(table.semanticName), "divisions": .init(table.divisions),
              "primaries": .string(String(describing: table.primaries)),
              "gamma": .string(String(describing: table.gamma)),
            ]
          }
        )
      },
      "dynamicRange": .string(String(describing: dynamicRange)),
    ])
  }
}

extension HueSatMap {
  /// Its divisions and encoding.
  fileprivate var json: JSONValue {
    [
      "hueDivisions": .init(hueDivisions), "saturationDivisions": .init(saturationDivisions),
      "valueDivisions": .init(valueDivisions), "encoding": .string(String(describing: encoding)),
    ]
  }
}

extension ProfileGainTableMap {
  /// Its grid, input and range of gains.
  var json: JSONValue {
    [
      "version": .init(version), "pointsV": .init(pointsV), "pointsH": .init(pointsH),
      "pointsN": .init(pointsN), "spacingV": .init(spacingV), "spacingH": .init(spacingH),
      "originV": .init(originV), "originH": .init(originH),
      "inputWeights": .array(inputWeights.indices.map { .init(Double(inputWeights[$0])) }),
      "gamma": .init(Double(gamma)), "smallestGain": .init(Double(gains.min() ?? 1)),
      "largestGain": .init(Double(gains.max() ?? 1)),
    ]
  }
}

extension NoiseProfile {
  var json: JSONValue {
    .array(planes.map { ["scale": .init($0.scale), "offset": .init($0.offset)] })
  }
}

extension RenderingHints {
  var json: JSONValue {
    .object(omittingAbsent: [
      "baselineNoise": .init(baselineNoise),
      "baselineSharpness": .init(baselineSharpness),
      "bayerGreenSplit": .init(bayerGreenSplit),
      "linearResponseLimit": .init(linearResponseLimit),
      "chromaBlurRadius": chromaBlurRadius.map { .init($0) },
      "antiAliasStrength": .init(antiAliasStrength),
      "bestQualityScale": .init(bestQualityScale),
      "noiseReductionApplied": noiseReductionApplied.map { .init($0) },
    ])
  }
}
