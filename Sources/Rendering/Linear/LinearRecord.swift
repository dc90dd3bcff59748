internal import ColorScience
internal import Develop
internal import Digest
internal import ImageEncoding
internal import JSON
internal import Raster
internal import RawModel
internal import Recipe

/// The JSON beside a linear picture: what every number in it means, and where it comes from.
struct LinearRecord {
  let picture: LinearPicture
  let written: LinearPicture.Written
  let clipping: SensorClipping
  let settings: DevelopSettings
  let facts: Facts

  /// What identifies the render.
  struct Facts {
    var inputSHA256: SHA256Digest
    var inputByteCount: Int
    var camera: CameraInformation
    var recipeDigest: SHA256Digest
    var resolvedDigest: SHA256Digest
  }

  /// The version of the record's members.
  static let version = 1

  init(
    _ picture: LinearPicture,
    written: LinearPicture.Written,
    clipping: SensorClipping,
    settings: DevelopSettings,
    facts: Facts
  ) {
    self.picture = picture
    self.written = written
    self.clipping = clipping
    self.settings = settings
    self.facts = facts
  }

  private var development: LinearDevelopment { picture.development }
  private var level: OutputSpecification.LinearSettings.Level { picture.settings.level }

  var json: JSONValue {
    let geometry = CameraGeometry(
      picture.description,
      map: development.map,
      optics: development.optics
    )
    let members: [(key: String, value: JSONValue?)] = [
      ("record", JSONValue(Self.version)),
      ("level", .string(level.rawValue)),
      ("colorSpace", .string(picture.settings.colorSpace.rawValue)),
      ("file", file),
      ("samples", samples),
      ("levels", levels),
      ("exposure", exposure),
      ("neutral", neutral),
      ("cameraToSpace", matrix),
      ("mosaic", mosaic),
      ("isHighlightRecoveryEnabled", highlightRecovery),
      ("sensorClipped", .object(clipping.counts.map { ($0.name, JSONValue($0.count)) })),
      ("opcodes", opcodes),
      ("orientation", orientation),
      ("area", area),
      ("geometry", geometry.json),
      ("whiteLuminance", picture.whiteLuminance?.json),
    ]
    let known = members.compactMap { key, value in value.map { (key: key, value: $0) } }
    return .object(known + facts.members(libraries: written.libraries))
  }

  private var exposure: JSONValue {
    [
      "applied": JSONValue(level == .scene ? settings.exposureEV : 0),
      "baselineExposure": JSONValue(settings.baselineExposureEV),
    ]
  }

  private var matrix: JSONValue? {
    development.cameraToSpace.map { matrix in
      .array(
        (0..<3).map { index in
          let row = matrix.rows[index]
          return [JSONValue(row.x), JSONValue(row.y), JSONValue(row.z)]
        }
      )
    }
  }

  private var highlightRecovery: JSONValue? {
    level == .scene ? .bool(settings.isHighlightRecoveryEnabled) : nil
  }

  private var opcodes: JSONValue {
    [
      "applied": .array(development.appliedOpcodes.map { .string($0) }),
      "notApplied": .array(development.otherOpcodes.map { .string($0) }),
    ]
  }

  /// The file's, and that which the pixels were turned by; 1 where they were not.
  private var orientation: JSONValue {
    let isTurned = development.isTurned && picture.settings.format != .dng
    return [
      "file": JSONValue(picture.description.orientation.rawValue),
      "applied": JSONValue(isTurned ? settings.orientation.rawValue : 1),
    ]
  }

  private var file: JSONValue {
    [
      "format": .string(picture.settings.format.rawValue),
      "byteCount": JSONValue(written.byteCount),
      "width": JSONValue(development.size.width),
      "height": JSONValue(development.size.height),
      "channels": .array(development.channels.map { .string($0.name) }),
      "sampleFormat": .string(picture.settings.sampleFormat.rawValue),
    ]
  }

  private var samples: JSONValue {
    var step: JSONValue?
    if case .uint16(let value) = picture.sampleFormat { step = JSONValue(value) }
    return .object(omittingAbsent: [
      // A value is its code times this.
      "step": step,
      "sha256": .string(written.samplesSHA256.hex),
      "negative": JSONValue(written.counts.negative),
      "notFinite": JSONValue(written.counts.notFinite),
      "belowRange": JSONValue(written.counts.belowRange),
      "aboveRange": JSONValue(written.counts.aboveRange),
    ])
  }

  /// Black and white in linearised codes, as the file states them.
  private var levels: JSONValue {
    let black = picture.description.blackLevel
    return [
      "isBlackSubtracted": .bool(!picture.settings.isCodes),
      "isWhiteOne": .bool(level == .normalized),
      "black": .array(black.values.map { JSONValue($0) }),
      "blackRepeatRows": JSONValue(black.repeatRows),
      "blackRepeatColumns": JSONValue(black.repeatColumns),
      "hasBlackDeltas": .bool(!black.deltaH.isEmpty || !black.deltaV.isEmpty),
      "white": .array(picture.description.whiteLevel.map { JSONValue($0) }),
    ]
  }

  private var neutral: JSONValue? {
    guard let neutral = development.neutral else { return nil }
    return [
      "camera": [JSONValue(neutral.x), JSONValue(neutral.y), JSONValue(neutral.z)],
      "chromaticity": ["x": JSONValue(settings.white.x), "y": JSONValue(settings.white.y)],
      "temperature": JSONValue(settings.neutralTemperature),
      "tint": JSONValue(settings.neutralTint),
      "isApplied": .bool(level == .scene || level == .whiteBalanced),
    ]
  }

  private var mosaic: JSONValue {
    guard case .mosaic(let pattern) = picture.description.layout else { return "none" }
    switch picture.settings.mosaic {
    case .demosaiced: return ["is": "demosaiced", "by": .string(settings.demosaic.rawValue)]
    case .cfa:
      let colors = pattern.colors
      let names = (0..<4).map { index in
        let (x, y) = ((index & 1) + development.area.left, (index >> 1) + development.area.top)
        return ["R", "G", "B"][colors[2 * (y & 1) + (x & 1)]]
      }
      return ["is": "cfa", "pattern": .string(names.joined())]
    case .planes:
      return [
        "is": "planes",
        "cells": .array(
          development.channels.compactMap { channel in
            channel.cell.map { cell in
              ["name": .string(channel.name), "x": JSONValue(cell.x), "y": JSONValue(cell.y)]
            }
          }
        ),
      ]
    }
  }

  /// The part of the stored frame that is shown, in its pixels.
  private var area: JSONValue {
    let active = picture.description.activeArea
    return [
      "left": JSONValue(active.left + development.area.left),
      "top": JSONValue(active.top + development.area.top),
      "width": JSONValue(development.area.width),
      "height": JSONValue(development.area.height),
    ]
  }
}

extension LinearRecord.Facts {
  /// The record's members on the render, with the libraries that wrote the picture.
  fileprivate func members(libraries: [LibraryVersion]) -> [(key: String, value: JSONValue)] {
    let versions = libraries.sorted { $0.name < $1.name }
    return [
      (
        "input",
        ["sha256": .string(inputSHA256.hex), "byteCount": JSONValue(inputByteCount)]
      ),
      ("camera", camera.json),
      ("recipeDigest", .string(recipeDigest.hex)),
      ("resolvedDigest", .string(resolvedDigest.hex)),
      ("pixelVersion", JSONValue(PixelVersion.current)),
      ("engineVersion", .string(EngineInformation.version)),
      ("libraryVersions", .object(versions.map { ($0.name, .string($0.version)) })),
    ]
  }
}
