internal import ColorScience
internal import DNGFormat
internal import Digest
package import JSON
internal import Raster
internal import RawDecoding
internal import RawModel

extension Inspection {
  /// The inspection in the terms of the DNG specification.
  package var json: JSONValue {
    .object(omittingAbsent: [
      "content": .string(contentName),
      "isRaw": .bool(content.isRaw),
      "isSupported": .bool(isSupported),
      "unsupportedReason": unsupportedReason.map { .string($0) },
      "byteCount": .init(byteCount),
      "sha256": .string(fileSHA256.hex),
      "mosaicSHA256": mosaicSHA256.map { .string($0.hex) },
      "warnings": warnings.isEmpty ? nil : .array(warnings.map { .string($0) }),
      "dng": dng?.json,
    ])
  }

  /// Why a raw is not supported yet.
  private var unsupportedReason: String? {
    if let feature = dng?.unsupported { return DNGReadError.unsupported(feature).message }
    if case .otherRaw(let name) = content { return RawDecodeError.unsupportedRaw(name).message }
    return nil
  }
}

extension DNGInspection {
  fileprivate var json: JSONValue {
    .object(omittingAbsent: [
      "version": .string(version.description),
      "backwardVersion": .string(backwardVersion.description),
      "byteOrder": .string(String(describing: byteOrder)),
      "isBigTIFF": .bool(isBigTIFF),
      "camera": CameraInformation(capture).json,
      "isAppleProRAW": .bool(isAppleProRAW),
      "bitDepth": raw.bitsPerSample.first.map { .init($0) },
      "raw": raw.json,
      "cfaPattern": cfaPattern.map { .string($0) },
      "linearizationTableCount": linearizationTableCount.map { .init($0) },
      "linearizationTableEnd": linearizationTableEnd.map { .init($0) },
      "blackLevel": blackLevel.json,
      "whiteLevel": .array(whiteLevel.map { .init($0) }),
      "activeArea": activeArea.json,
      "maskedAreas": .array(maskedAreas.map(\.json)),
      "defaultCrop": [
        "originX": .init(defaultCrop.originX), "originY": .init(defaultCrop.originY),
        "width": .init(defaultCrop.width), "height": .init(defaultCrop.height),
      ],
      "defaultUserCrop": [
        .init(defaultUserCrop.top), .init(defaultUserCrop.left), .init(defaultUserCrop.bottom),
        .init(defaultUserCrop.right),
      ],
      "defaultScale": [.init(defaultScale.horizontal), .init(defaultScale.vertical)],
      "orientation": .init(orientation.rawValue),
      "color": color.json,
      "baselineExposure": .init(baselineExposure),
      "baselineExposureOffset": .init(baselineExposureOffset),
      "shadowScale": .init(shadowScale),
      "isDefaultBlackNone": .bool(isDefaultBlackNone),
      "opcodeList1": opcodeList1.json,
      "opcodeList2": opcodeList2.json,
      "opcodeList3": opcodeList3.json,
      "profile": profile.json,
      "asShotProfileName": asShotProfileName.map { .string($0) },
      "extraProfiles": .array(extraProfileNames.map { .string($0 ?? "") }),
      "gainTableMap": (profile.gainTableMap ?? gainTableMap)?.json,
      "noiseProfile": noiseProfile?.json,
      "hints": hints.json,
      "preview": largestPreview?.size.map {
        ["width": .init($0.width), "height": .init($0.height)]
      },
      "semanticMasks": .array(
        images.filter { $0.kind == .semanticMask }.map { .string($0.semanticName ?? "") }
      ),
      "newRawImageDigest": rawImageDigest.map { .string($0) },
      "rawImageDigest": oldRawImageDigest.map { .string($0) },
      "rawDataUniqueID": rawDataUniqueID.map { .string($0) },
      "originalRawFileName": originalRawFileName.map { .string($0) },
      "originalRawFileDigest": originalRawFileDigest.map { .string($0) },
      "warnings": .array(warnings.map { .string($0) }),
      "images": .array(images.map(\.json)),
    ])
  }
}

extension DNGInspection.Image {
  fileprivate var json: JSONValue {
    .object(omittingAbsent: [
      "directory": .string(directory),
      "kind": .string(kind.description),
      "width": size.map { .init($0.width) },
      "height": size.map { .init($0.height) },
      "compression": compression.map { .string($0.description) },
      "photometricInterpretation": photometric.map { .string($0.description) },
      "bitsPerSample": .array(bitsPerSample.map { .init($0) }),
      "sampleFormat": .init(sampleFormat),
      "samplesPerPixel": .init(samplesPerPixel),
      "predictor": predictor.map { .init($0) },
      "isTiled": .bool(isTiled),
      "tileWidth": tileSize.map { .init($0.width) },
      "tileHeight": tileSize.map { .init($0.height) },
      "tileCount": .init(tileCount),
      "semanticName": semanticName.map { .string($0) },
      "semanticInstanceID": semanticInstanceID.map { .string($0) },
    ])
  }
}

extension BlackLevel {
  fileprivate var json: JSONValue {
    [
      "repeatRows": .init(repeatRows), "repeatColumns": .init(repeatColumns),
      "values": .array(values.map { .init($0) }), "hasDeltaH": .bool(!deltaH.isEmpty),
      "hasDeltaV": .bool(!deltaV.isEmpty),
    ]
  }
}

extension Region {
  fileprivate var json: JSONValue {
    ["left": .init(left), "top": .init(top), "width": .init(width), "height": .init(height)]
  }
}

extension CameraColor {
  fileprivate var json: JSONValue {
    let white: (neutral: JSONValue?, chromaticity: JSONValue?) =
      switch asShotWhite {
      case .neutral(let vector): (vector.json, nil)
      case .chromaticity(let white): (nil, ["x": .init(white.x), "y": .init(white.y)])
      case .unknown: (nil, nil)
      }
    return .object(omittingAbsent: [
      "calibrations": .array(calibrations.map(\.json)),
      "analogBalance": analogBalance.json,
      "asShotNeutral": white.neutral,
      "asShotWhiteXY": white.chromaticity,
    ])
  }
}

extension CameraColor.Calibration {
  fileprivate var json: JSONValue {
    .object(omittingAbsent: [
      "illuminant": .init(illuminant),
      "colorMatrix": colorMatrix.json,
      "forwardMatrix": forwardMatrix?.json,
      "cameraCalibration": cameraCalibration?.json,
    ])
  }
}

extension Matrix3 {
  /// Nine numbers in row order.
  fileprivate var json: JSONValue {
    var numbers: [JSONValue] = []
    for index in rows.indices { numbers += (0..<3).map { .init(rows[index][$0]) } }
    return .array(numbers)
  }
}

extension Vector3 {
  fileprivate var json: JSONValue { .array((0..<3).map { .init(self[$0]) }) }
}

extension [Opcode] {
  fileprivate var json: JSONValue {
    .array(
      map { opcode in
        [
          "id": .init(opcode.id), "name": .string(opcode.operation.name),
          "isOptional": .bool(opcode.isOptional),
          "isSkippedForPreview": .bool(opcode.isSkippedForPreview),
          "byteCount": .init(opcode.data.count),
        ]
      }
    )
  }
}
