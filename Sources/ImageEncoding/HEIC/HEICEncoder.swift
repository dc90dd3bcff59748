package import Raster

/// Writes 8-bit HEIC: HEVC 4:2:0 with ICC profile, nclx, Exif and thumbnail.
///
/// x265 3.5 never frees about 0.05 bytes a pixel of each picture (600 KB at 12 megapixels, also from a
/// plain C program): a process that encodes for long has to be renewed from time to time.
package enum HEICEncoder {
  /// The longest side.
  ///
  /// x265 takes more, but decoders on phones and libheif's own limits do not.
  package static var sideLimit: Int { 16384 }

  /// Encodes one picture.
  ///
  /// `picture` has rows of interleaved RGB, `3 * width` samples, coded with the curve of the settings'
  /// colour space; it is freed before the compression starts, so that the peak is the encoder's. The
  /// sink gets the file in one write, when it is complete and reads back as it should.
  package static func encode(
    _ picture: consuming Plane<UInt8>,
    settings: HEICSettings,
    metadata: ImageMetadata,
    to sink: any ByteSink
  ) throws(ImageEncodingError) -> EncodedImage {
    let converted = try convert(picture, settings: settings, metadata: metadata)
    // Now, and not at the end of the scope: x265 needs the room.
    _ = consume picture
    return try encode(converted, settings: settings, metadata: metadata, to: sink)
  }

  /// Encodes one picture that is needed afterwards too; see the other `encode`.
  package static func encode(
    keeping picture: borrowing Plane<UInt8>,
    settings: HEICSettings,
    metadata: ImageMetadata,
    to sink: any ByteSink
  ) throws(ImageEncodingError) -> EncodedImage {
    let converted = try convert(picture, settings: settings, metadata: metadata)
    return try encode(converted, settings: settings, metadata: metadata, to: sink)
  }

  /// Refuses what can't be encoded, then makes the picture that x265 takes.
  private static func convert(
    _ picture: borrowing Plane<UInt8>,
    settings: HEICSettings,
    metadata: ImageMetadata
  ) throws(ImageEncodingError) -> HEIFPicture {
    let size = try rgbSize(of: picture)
    guard size.width <= sideLimit, size.height <= sideLimit else {
      throw .pictureTooLarge(format: .heic, size: size, limit: sideLimit)
    }
    guard settings.threadCount >= 1 else {
      throw .settingInvalid(
        name: "threadCount",
        value: "\(settings.threadCount)",
        valid: "at least 1"
      )
    }
    try metadata.validate()
    return try HEIFPicture.converting(picture)
  }

  private static func encode(
    _ picture: consuming HEIFPicture,
    settings: HEICSettings,
    metadata: ImageMetadata,
    to sink: any ByteSink
  ) throws(ImageEncodingError) -> EncodedImage {
    let size = picture.size
    let file = try HEIFFile.make()
    let encoder = try makeEncoder(of: file, settings: settings)
    let profile = try ICCProfile(settings.colorSpace)
    let codePoints = settings.colorSpace.codePoints

    let thumbnailSize = settings.thumbnailSize(of: size)
    let thumbnail = try thumbnailSize.map { size throws(ImageEncodingError) in
      try picture.reduced(to: size)
    }
    try picture.setColor(profile: profile, codePoints: codePoints)
    let primary = try file.encode(picture, with: encoder)
    if let thumbnail {
      try thumbnail.setColor(profile: profile, codePoints: codePoints)
      let item = try file.encode(thumbnail, with: encoder)
      try file.assign(thumbnail: item, to: primary)
    }
    if let exif = metadata.exifBlock {
      try file.addExif(exif, to: primary)
    }
    let byteCount = try file.write(
      expecting: HEIFStructure(
        size: size,
        thumbnail: thumbnailSize,
        codePoints: codePoints,
        profileByteCount: profile.bytes.count,
        exifByteCount: metadata.exifBlock?.count ?? 0
      ),
      to: sink
    )
    return EncodedImage(
      byteCount: byteCount,
      size: size,
      format: .heic,
      colorSpace: settings.colorSpace,
      bitDepth: 8,
      libraries: [libheifVersion(), encoder.version(), littleCMSVersion()]
    )
  }

  private static func makeEncoder(
    of file: borrowing HEIFFile,
    settings: HEICSettings
  ) throws(ImageEncodingError) -> HEVCEncoder {
    let encoder = try file.makeEncoder()
    try encoder.set("chroma", "420")
    // libheif's own default is slow, at many times the cost.
    try encoder.set("preset", settings.preset.rawValue)
    try encoder.set("x265:crf", "\(settings.rateFactor.value)")
    if settings.preset == .ultrafast {
      // 5 to 7 % less time at the same quality (0.02 dB): ultrafast's second look at intra modes does
      // not pay in still pictures.
      try encoder.set("x265:rd", "1")
    }
    // Wavefronts always on and one frame at a time: the bytes are then the same for any pool. Without
    // a pool x265 turns wavefronts off and gives others, so the pool is never `none`.
    try encoder.set("x265:pools", "\(settings.threadCount)")
    try encoder.set("x265:wpp", "1")
    try encoder.set("x265:frame-threads", "1")
    return encoder
  }
}

extension HEVCEncoder {
  /// The encoder as provenance names it: `x265` and its version.
  borrowing func version() -> LibraryVersion {
    // "x265 HEVC encoder (3.5+1-f0c1022b6)"
    let name = name()
    guard let open = name.firstIndex(of: "("), let close = name.lastIndex(of: ")"), open < close
    else { return LibraryVersion(name: "x265", version: name) }
    return LibraryVersion(name: "x265", version: String(name[name.index(after: open)..<close]))
  }
}

extension HEICSettings {
  /// The thumbnail's size for a picture, sides rounded and at least 1; nil where there is none.
  func thumbnailSize(of size: PixelSize) -> PixelSize? {
    guard let edge = thumbnailLongEdge, edge > 0 else { return nil }
    let longest = max(size.width, size.height)
    guard longest > edge else { return nil }
    func scaled(_ side: Int) -> Int { max(1, (2 * side * edge + longest) / (2 * longest)) }
    return PixelSize(width: scaled(size.width), height: scaled(size.height))
  }
}
