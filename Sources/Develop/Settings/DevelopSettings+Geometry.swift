extension DevelopSettings {
  /// What of the opcode lists is left out on purpose.
  var opcodePolicy: OpcodeStages.Policy {
    OpcodeStages.Policy(
      isLensCorrectionEnabled: isLensCorrectionEnabled,
      isDraft: isDraftModeEnabled
    )
  }

  /// What is asked of the picture's geometry.
  var geometryRequest: PictureGeometry.Request {
    PictureGeometry.Request(
      scaleFactor: scaleFactor,
      isDraft: isDraftModeEnabled,
      orientation: orientation,
      crop: crop
    )
  }
}
