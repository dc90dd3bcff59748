internal import TIFFContainer

/// Which tags belong to what, where directories are put together anew.
enum DNGTagSets {
  /// How an image's samples are cut, coded and counted: made anew with the samples.
  static let coding: Set<TIFFTag> = [
    .newSubFileType, .subFileType, .imageWidth, .imageLength, .bitsPerSample, .compression,
    .photometricInterpretation, .fillOrder, .stripOffsets, .samplesPerPixel, .rowsPerStrip,
    .stripByteCounts, .planarConfiguration, .predictor, .tileWidth, .tileLength, .tileOffsets,
    .tileByteCounts, .sampleFormat, .jpegTables, .jpegInterchangeFormat,
    .jpegInterchangeFormatLength, .yCbCrCoefficients, .yCbCrSubSampling, .yCbCrPositioning,
    .referenceBlackWhite, .subTileBlockSize, .rowInterleaveFactor, .columnInterleaveFactor,
    .jxlDistance, .jxlEffort, .jxlDecodeSpeed,
  ]

  /// What says how a preview was made; goes with it.
  static let preview: Set<TIFFTag> = [
    .previewApplicationName, .previewApplicationVersion, .previewSettingsName,
    .previewSettingsDigest, .previewColorSpace, .previewDateTime, .rawToPreviewGain,
  ]

  /// Codes and light: made anew where samples get other codes.
  static let levels: Set<TIFFTag> = [
    .linearizationTable, .blackLevelRepeatDim, .blackLevel, .blackLevelDeltaH, .blackLevelDeltaV,
    .whiteLevel,
  ]

  /// What the DNG specification (1.7.1 chapter 4, "IFD") puts beside the raw image and not into IFD 0.
  static let raw: Set<TIFFTag> = levels.union([
    .cfaRepeatPatternDim, .cfaPattern, .cfaPlaneColor, .cfaLayout, .defaultScale,
    .defaultCropOrigin, .defaultCropSize, .bayerGreenSplit, .chromaBlurRadius, .antiAliasStrength,
    .bestQualityScale, .activeArea, .maskedAreas, .noiseReductionApplied, .opcodeList1,
    .opcodeList2,
    .opcodeList3, .noiseProfile, .defaultUserCrop, .enhanceParams, .imageStats,
  ])

  /// What describes a mosaic.
  static let mosaic: Set<TIFFTag> = [
    .cfaRepeatPatternDim, .cfaPattern, .cfaPlaneColor, .cfaLayout, .bayerGreenSplit,
    .antiAliasStrength,
  ]
}
