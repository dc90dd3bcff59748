internal import Digest
internal import ImageEncoding
package import JSON
internal import Raster

extension RenderReport {
  package var json: JSONValue {
    [
      "inputByteCount": JSONValue(inputByteCount),
      "inputSHA256": JSONValue(inputSHA256.hex),
      "width": JSONValue(size.width),
      "height": JSONValue(size.height),
      "pixels": JSONValue(size.pixelCount),
      "camera": camera.json,
      "recipeDigest": JSONValue(recipeDigest.hex),
      "resolvedDigest": JSONValue(resolvedDigest.hex),
      "resolvedSettings": settings.json,
      "skippedOpcodes": .array(skippedOpcodes.map { .string($0) }),
      "warnings": .array(warnings.map { .string($0) }),
      "pixelVersion": JSONValue(pixelVersion),
      "engineVersion": JSONValue(engineVersion),
      "sourceRevision": JSONValue(sourceRevision),
      "libraryVersions": .object(libraries.map { ($0.name, JSONValue($0.version)) }),
      "stages": .array(
        stages.map { ["name": JSONValue($0.name), "nanoseconds": JSONValue($0.nanoseconds)] }
      ),
      "outputs": .array(outputs.map(\.json)),
    ]
  }

  /// - Throws: `JSONError` for a member that is absent or of another kind.
  package init(json: JSONValue) throws(JSONError) {
    var libraries: [LibraryVersion] = []
    for (name, version) in try json.requireObject("libraryVersions") {
      guard let text = version.stringValue else {
        throw .unexpectedKind(key: name, expected: "a string", found: version.kindName)
      }
      libraries.append(LibraryVersion(name: name, version: text))
    }
    var stages: [Stage] = []
    for stage in try json.requireArray("stages") {
      stages.append(
        Stage(
          name: try stage.requireString("name"),
          nanoseconds: try stage.requireInteger("nanoseconds", as: Int64.self)
        )
      )
    }
    var outputs: [Output] = []
    for output in try json.requireArray("outputs") { outputs.append(try Output(json: output)) }
    self.init(
      inputByteCount: try json.requireInteger("inputByteCount"),
      inputSHA256: try json.requireDigest("inputSHA256"),
      size: try PixelSize(json: json),
      camera: try CameraInformation(json: json.require("camera")),
      recipeDigest: try json.requireDigest("recipeDigest"),
      resolvedDigest: try json.requireDigest("resolvedDigest"),
      settings: try [RenderSetting](json: json.requireObject("resolvedSettings")),
      skippedOpcodes: try Self.texts("skippedOpcodes", of: json),
      warnings: try Self.texts("warnings", of: json),
      pixelVersion: try json.requireInteger("pixelVersion"),
      engineVersion: try json.requireString("engineVersion"),
      sourceRevision: try json.requireString("sourceRevision"),
      libraries: libraries,
      stages: stages,
      outputs: outputs
    )
  }
}

extension RenderReport {
  private static func texts(_ key: String, of json: JSONValue) throws(JSONError) -> [String] {
    var texts: [String] = []
    for element in try json.requireArray(key) {
      guard let text = element.stringValue else {
        throw .unexpectedKind(key: key, expected: "strings", found: element.kindName)
      }
      texts.append(text)
    }
    return texts
  }
}

extension RenderReport.Output {
  package var json: JSONValue {
    .object(omittingAbsent: [
      "id": .string(id),
      "byteCount": JSONValue(byteCount),
      "width": size.map { JSONValue($0.width) },
      "height": size.map { JSONValue($0.height) },
      "format": .string(format.rawValue),
      "colorSpace": colorSpace.map { .string($0.rawValue) },
      "bitDepth": bitDepth.map { JSONValue($0) },
      "raw": raw?.json,
      "linear": linear?.json,
      "statistics": statistics,
    ])
  }

  /// - Throws: `JSONError` for a member that is absent, of another kind or an unknown name.
  package init(json: JSONValue) throws(JSONError) {
    self.init(
      id: try json.requireString("id"),
      byteCount: try json.requireInteger("byteCount"),
      size: try json.optional("width") { (_) throws(JSONError) in try PixelSize(json: json) },
      format: try json.requireName("format", ImageFormat.init(rawValue:)),
      colorSpace: try json.optional("colorSpace") { (key) throws(JSONError) in
        try json.requireName(key, EncodedColorSpace.init(rawValue:))
      },
      bitDepth: try json.optional("bitDepth") { (key) throws(JSONError) in
        try json.requireInteger(key)
      },
      raw: try json.optional("raw") { (key) throws(JSONError) in
        try RawOutputReport(json: json.require(key))
      },
      linear: try json.optional("linear") { (key) throws(JSONError) in
        try LinearOutputReport(json: json.require(key))
      },
      statistics: json["statistics"]
    )
  }
}

extension [RenderSetting] {
  /// An object by setting, each with value and origin.
  var json: JSONValue {
    .object(map { ($0.name, ["value": $0.value, "origin": JSONValue($0.origin)]) })
  }

  init(json members: [(key: String, value: JSONValue)]) throws(JSONError) {
    self = []
    for (name, setting) in members {
      append(
        RenderSetting(
          name: name,
          value: try setting.require("value"),
          origin: try setting.requireString("origin")
        )
      )
    }
  }
}

extension PixelSize {
  init(json: JSONValue) throws(JSONError) {
    self.init(
      width: try json.requireInteger("width"),
      height: try json.requireInteger("height")
    )
  }
}

extension JSONValue {
  fileprivate func requireObject(
    _ key: String
  ) throws(JSONError) -> [(key: String, value: JSONValue)] {
    let value = try require(key)
    guard let members = value.objectValue else {
      throw .unexpectedKind(key: key, expected: "an object", found: value.kindName)
    }
    return members
  }

  /// A member that is a SHA-256 in hexadecimal digits.
  func requireDigest(_ key: String) throws(JSONError) -> SHA256Digest {
    try requireName(key, SHA256Digest.init(hex:))
  }

  func requireName<Value>(
    _ key: String,
    _ convert: (String) -> Value?
  ) throws(JSONError) -> Value {
    let text = try requireString(key)
    guard let value = convert(text) else {
      throw .unexpectedKind(key: key, expected: "a known value", found: "\"\(text)\"")
    }
    return value
  }
}
