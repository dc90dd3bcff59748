internal import Digest
package import JSON

extension ChildReport {
  package var json: JSONValue {
    [
      "inputSHA256": JSONValue(inputSHA256.hex),
      "inputByteCount": JSONValue(inputByteCount),
      "recipeDigest": JSONValue(recipeDigest.hex),
      "resolvedDigest": JSONValue(resolvedDigest.hex),
      "resolvedSettings": resolvedSettings,
      "pixelVersion": JSONValue(pixelVersion),
      "engineVersion": JSONValue(engineVersion),
      "sourceRevision": JSONValue(sourceRevision),
      "libraryVersions": .object(
        libraryVersions.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) }
      ),
      "stages": .array(
        stages.map { ["name": JSONValue($0.name), "nanoseconds": JSONValue($0.nanoseconds)] }
      ),
      "pixels": JSONValue(pixels),
      "outputs": .array(outputs.map(\.json)),
    ]
  }

  /// - Throws: `reportInvalid` for a report that lacks something or has values out of range.
  package init(json: JSONValue) throws(WorkerError) {
    do throws(JSONError) {
      var libraries: [String: String] = [:]
      for (name, version) in try json.require("libraryVersions").objectValue ?? [] {
        libraries[name] = version.stringValue
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
      for output in try json.requireArray("outputs") {
        outputs.append(try Output(json: output))
      }
      self.init(
        inputSHA256: try json.requireDigest("inputSHA256"),
        inputByteCount: try json.requireInteger("inputByteCount", as: Int64.self),
        recipeDigest: try json.requireDigest("recipeDigest"),
        resolvedDigest: try json.requireDigest("resolvedDigest"),
        resolvedSettings: try json.require("resolvedSettings"),
        pixelVersion: try json.requireInteger("pixelVersion"),
        engineVersion: try json.requireString("engineVersion"),
        sourceRevision: try json.requireString("sourceRevision"),
        libraryVersions: libraries,
        stages: stages,
        pixels: try json.requireInteger("pixels", as: Int64.self),
        outputs: outputs
      )
    } catch {
      throw .reportInvalid(detail: error.message)
    }
  }
}

extension ChildReport.Output {
  package var json: JSONValue {
    [
      "id": JSONValue(id), "byteCount": JSONValue(byteCount), "width": JSONValue(width),
      "height": JSONValue(height), "format": JSONValue(format),
      "colorSpace": JSONValue(colorSpace), "bitDepth": JSONValue(bitDepth),
    ]
  }

  init(json: JSONValue) throws(JSONError) {
    self.init(
      id: try json.requireString("id"),
      byteCount: try json.requireInteger("byteCount", as: Int64.self),
      width: try json.requireInteger("width"),
      height: try json.requireInteger("height"),
      format: try json.requireString("format"),
      colorSpace: try json.requireString("colorSpace"),
      bitDepth: try json.requireInteger("bitDepth")
    )
  }
}

extension JSONValue {
  /// A member that is a SHA-256 in hexadecimal digits.
  fileprivate func requireDigest(_ key: String) throws(JSONError) -> SHA256Digest {
    let text = try requireString(key)
    guard let digest = SHA256Digest(hex: text) else {
      throw .unexpectedKind(key: key, expected: "64 hexadecimal digits", found: "another text")
    }
    return digest
  }
}
