package import JSON

extension CameraInformation {
  /// An object without the members that the file does not have.
  package var json: JSONValue {
    .object(omittingAbsent: [
      "make": make.map { .string($0) },
      "model": model.map { .string($0) },
      "uniqueCameraModel": uniqueCameraModel.map { .string($0) },
      "lensModel": lensModel.map { .string($0) },
      "isoSpeed": isoSpeed.map { .init($0) },
      "dateTimeOriginal": dateTimeOriginal.map { .string($0) },
    ])
  }

  /// - Throws: `JSONError` for a member of another kind.
  package init(json: JSONValue) throws(JSONError) {
    self.init(
      make: try json.optional("make", json.requireString),
      model: try json.optional("model", json.requireString),
      uniqueCameraModel: try json.optional("uniqueCameraModel", json.requireString),
      lensModel: try json.optional("lensModel", json.requireString),
      isoSpeed: try json.optional("isoSpeed") { (key) throws(JSONError) in
        try json.requireInteger(key)
      },
      dateTimeOriginal: try json.optional("dateTimeOriginal", json.requireString)
    )
  }
}
