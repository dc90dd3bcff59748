internal import TIFFContainer

/// The structure of a DNG: its IFDs and which of them is the raw image.
struct DNGFile {
  let tiff: TIFFFile
  let directories: [DNGDirectory]
  let images: [DNGInspection.Image]
  /// The raw image's index in `directories` and `images`.
  let rawIndex: Int
  let version: DNGVersion
  let backwardVersion: DNGVersion

  /// IFD 0: the camera profile and what holds for the whole file.
  var main: DNGDirectory { directories[0] }
  /// The IFD of the raw image.
  var raw: DNGDirectory { directories[rawIndex] }

  /// Reads the IFDs and finds the raw image.
  ///
  /// - Throws: `container`, `notDNG`, `noRawImage`.
  init(_ bytes: [UInt8]) throws(DNGReadError) {
    do {
      tiff = try TIFFFile(bytes)
      directories = try tiff.imageDirectories().map(DNGDirectory.init)
    } catch {
      throw .container(error)
    }
    // The list has IFD 0 at least: an IFD that can't be read has thrown.
    let main = directories[0]
    guard let version = try Self.version(.dngVersion, in: main) else { throw .notDNG }
    self.version = version
    // DNG 1.7.1, "DNGBackwardVersion": the default is DNGVersion with the last two bytes zero.
    backwardVersion =
      try Self.version(.dngBackwardVersion, in: main)
      ?? DNGVersion(version.bytes[0], version.bytes[1])
    images = try directories.map { (directory) throws(DNGReadError) in
      try DNGInspection.Image(directory)
    }
    guard
      let rawIndex = images.firstIndex(where: { image in
        image.kind == .main
          && (image.photometric == .colorFilterArray || image.photometric == .linearRaw)
      })
    else {
      throw .noRawImage(found: images.map(Self.text).joined(separator: "; "))
    }
    self.rawIndex = rawIndex
    for directory in rawIndex == 0 ? [main] : [main, directories[rawIndex]] {
      do { try directory.tiff.checkValuesInFile() } catch { throw .container(error) }
    }
  }

  private static func version(
    _ tag: TIFFTag,
    in directory: DNGDirectory
  ) throws(DNGReadError) -> DNGVersion? {
    guard let bytes = try directory.integers(tag, count: 4...4) else { return nil }
    guard bytes.allSatisfy({ (0...255).contains($0) }) else {
      throw directory.inconsistent(tag, "is no version of four bytes")
    }
    return DNGVersion(UInt8(bytes[0]), UInt8(bytes[1]), UInt8(bytes[2]), UInt8(bytes[3]))
  }

  private static func text(_ image: DNGInspection.Image) -> String {
    let photometric = image.photometric.map { "\($0)" } ?? "no PhotometricInterpretation"
    return "\(image.directory) \(image.kind), \(photometric)"
  }
}
