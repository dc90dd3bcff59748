internal import Diagnostics
internal import TIFFContainer

/// The capture data of a DNG as a TIFF structure of its own, as outputs carry it.
///
/// IFD 0 keeps what is about the photograph and not about the raw image; Exif and GPS IFDs keep all
/// but the MakerNote (whose offsets would be wrong), pointers, and what is about the raw's pixels.
/// Orientation is 1: outputs have turned pixels.
struct ExifBlock {
  private let file: DNGFile
  private var warnings = ReadWarnings()

  private init(file: DNGFile) {
    self.file = file
  }

  /// A value that is longer is left out: it would not fit into a JPEG's Exif segment.
  private static let valueLimit = 60_000

  /// The block's bytes.
  ///
  /// Values outside the file are left out, with a warning.
  ///
  /// - Throws: `container` where the Exif or the GPS IFD can't be read.
  static func bytes(
    of file: DNGFile,
    _ warnings: inout ReadWarnings
  ) throws(DNGReadError) -> [UInt8] {
    var block = ExifBlock(file: file)
    let main = try block.main()
    for warning in block.warnings.all { warnings.add(warning) }
    do throws(TIFFWritingError) {
      return try TIFFWriter.serialize([main])
    } catch {
      throw .exifBlock(error)
    }
  }

  private mutating func main() throws(DNGReadError) -> IFDBuilder {
    var main = IFDBuilder()
    for entry in file.main.tiff.entries where Self.mainTags.contains(entry.tag) {
      copy(entry, of: file.main, to: &main)
    }
    main.set(.orientation, short: 1)
    // Exif 2.32 table 5: resolution is mandatory, 72 per inch where it is unknown.
    if !main.contains(.xResolution) || !main.contains(.yResolution) {
      main.set(.xResolution, rationals: [TIFFRational(72, 1)])
      main.set(.yResolution, rationals: [TIFFRational(72, 1)])
      main.set(.resolutionUnit, short: 2)
    }
    main.set(.exifIFD, directories: [try exif()])
    main.set(.gpsIFD, directories: [try gps()])
    return main
  }

  private mutating func exif() throws(DNGReadError) -> IFDBuilder {
    var exif = IFDBuilder()
    if let directory = try directory(.exifIFD, "Exif IFD") {
      for entry in directory.tiff.entries where !Self.droppedExifTags.contains(entry.tag) {
        copy(entry, of: directory, to: &exif)
      }
    }
    // TIFF/EP cameras keep the capture tags in IFD 0.
    for entry in file.main.tiff.entries
    where Self.captureTags.contains(entry.tag) && !exif.contains(entry.tag) {
      copy(entry, of: file.main, to: &exif)
    }
    for entry in file.main.tiff.entries {
      // DNG has the lens and the serial number of its own.
      let exifTag: TIFFTag
      switch entry.tag {
      case .lensInfo: exifTag = .lensSpecification
      case .cameraSerialNumber: exifTag = .bodySerialNumber
      default: continue
      }
      guard !exif.contains(exifTag) else { continue }
      copy(entry, of: file.main, to: &exif, as: exifTag)
    }
    if !exif.contains(.exifVersion) { exif.set(.exifVersion, undefined: Array("0232".utf8)) }
    return exif
  }

  private mutating func gps() throws(DNGReadError) -> IFDBuilder {
    var gps = IFDBuilder()
    guard let directory = try directory(.gpsIFD, "GPS IFD") else { return gps }
    for entry in directory.tiff.entries where entry.tag.rawValue <= 31 {
      copy(entry, of: directory, to: &gps)
    }
    return gps
  }

  private func directory(
    _ tag: TIFFTag,
    _ name: String
  ) throws(DNGReadError) -> DNGDirectory? {
    do {
      return try file.tiff.directory(tag, of: file.main.tiff, named: name)
        .map(DNGDirectory.init)
    } catch {
      throw .container(error)
    }
  }

  /// Copies an entry of a known type, unless it is empty, too long or there already.
  private mutating func copy(
    _ entry: TIFFEntry,
    of directory: DNGDirectory,
    to builder: inout IFDBuilder,
    as tag: TIFFTag? = nil
  ) {
    let tag = tag ?? entry.tag
    guard
      // No types of BigTIFF, no pointers: the block is a classic TIFF.
      let type = entry.type, type.rawValue < TIFFFieldType.ifd.rawValue, entry.count > 0,
      entry.count <= Self.valueLimit / type.byteCount,
      !builder.contains(tag)
    else { return }
    let bytes: [UInt8]
    do throws(TIFFReadError) {
      bytes = try directory.tiff.storedBytes(of: entry, limit: Self.valueLimit)
    } catch {
      warnings.add("\(error.message); left out")
      return
    }
    builder.set(tag, type: type, bytes: bytes, byteOrder: file.tiff.byteOrder)
  }

  private static let mainTags: Set<TIFFTag> = [
    .imageDescription, .make, .model, .xResolution, .yResolution, .resolutionUnit, .software,
    .dateTime, .artist, .hostComputer, .copyright,
  ]

  /// Pointers, the MakerNote, and what is about the raw's pixels and not about the output's.
  private static let droppedExifTags: Set<TIFFTag> = [
    .makerNote, .interoperabilityIFD, .exifIFD, .gpsIFD, .pixelXDimension, .pixelYDimension,
    .colorSpace, .componentsConfiguration, .cfaPatternExif,
  ]

  private static let captureTags: Set<TIFFTag> = [
    .exposureTime, .fNumber, .exposureProgram, .photographicSensitivity, .dateTimeOriginal,
    .dateTimeDigitized, .offsetTime, .offsetTimeOriginal, .subSecTime, .subSecTimeOriginal,
    .shutterSpeedValue, .apertureValue, .brightnessValue, .exposureBiasValue, .maxApertureValue,
    .subjectDistance, .meteringMode, .lightSource, .flash, .focalLength, .whiteBalance,
    .focalLengthIn35mmFilm, .lensSpecification, .lensMake, .lensModel, .lensSerialNumber,
  ]
}

extension TIFFTag {
  /// Exif's own CFAPattern.
  fileprivate static let cfaPatternExif = TIFFTag(rawValue: 41_730)
}
