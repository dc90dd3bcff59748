internal import RawModel
internal import Recipe

extension DevelopSettings {
  /// Whether tables and curves of the camera profile have a part in the look.
  var appliesProfile: Bool { decoderVersion != .one }
}

extension CameraProfile {
  /// What of the profile is left out, in words.
  var unsupported: [String] {
    var result: [String] = []
    for table in rgbTables?.tables ?? [] where !table.isForWholePicture {
      result.append("RGBTables: the table for the mask \(table.semanticName)")
    }
    if dynamicRange == .high {
      result.append("ProfileDynamicRange: high, rendered for standard range")
    }
    return result
  }
}

extension CubeTable {
  /// The look of a recipe's file.
  init(lookOf file: RecipeFile) throws(DevelopError) {
    guard let contents = file.contents else {
      throw .lookUnusable(name: file.name, line: nil, reason: "was not read")
    }
    do throws(CubeTableError) {
      try self.init(contents)
    } catch {
      throw .lookUnusable(name: file.name, line: error.line, reason: error.reason)
    }
  }
}
