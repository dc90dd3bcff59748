internal import CLibTIFF
internal import TIFFContainer

/// What a TIFF output carries of the capture: the Exif and GPS directories of the Exif block, bit for
/// bit, and the texts of its first directory.
///
/// libtiff writes values of the tags that it knows, and rationals through floating point. Here the
/// directories are laid out as they are at the start of the file, and libtiff only gets their
/// offsets.
struct CaptureFields {
  /// The start of the file, empty where there is nothing to carry.
  ///
  /// A header (which libtiff replaces), a directory that nothing refers to then, and the directories
  /// themselves.
  let structure: [UInt8]
  /// Offsets of directories, and texts, by libtiff's tags.
  private let fields: [(tag: Int32, field: TIFFField)]

  /// - Throws: `exifBlockInvalid` for a block that does not hold what it announces.
  init(_ metadata: ImageMetadata) throws(ImageEncodingError) {
    guard let block = metadata.exifBlock else {
      structure = []
      fields = []
      return
    }
    func invalid(_ reason: String) -> ImageEncodingError {
      .exifBlockInvalid(byteCount: block.count, reason: reason)
    }
    let carrier: IFDBuilder
    var fields: [(tag: Int32, field: TIFFField)]
    do throws(TIFFReadError) {
      (carrier, fields) = try Self.read(block)
    } catch {
      throw invalid(error.message)
    }
    guard !carrier.isEmpty else {
      structure = []
      self.fields = fields
      return
    }
    do throws(TIFFWritingError) {
      structure = try TIFFWriter.serialize([carrier])
    } catch {
      throw invalid(error.message)
    }
    do throws(TIFFReadError) {
      fields += try Self.offsets(in: structure)
    } catch {
      throw invalid(error.message)
    }
    self.fields = fields
  }

  func set(in file: borrowing TIFFHandle) throws(ImageEncodingError) {
    for (tag, field) in fields { try file.set(tag, field) }
  }

  /// The directories below a carrier, and the texts.
  private static func read(
    _ block: [UInt8]
  ) throws(TIFFReadError) -> (carrier: IFDBuilder, texts: [(tag: Int32, field: TIFFField)]) {
    let file = try TIFFFile(block)
    let first = try file.directory(at: file.firstDirectoryOffset, named: "IFD 0")
    var found: [(tag: Int32, field: TIFFField)] = []
    for (tag, number) in texts {
      if let text = try first.text(tag) { found.append((number, .text(text))) }
    }
    var carrier = IFDBuilder()
    for (tag, _, name) in directories {
      if let directory = try file.directory(tag, of: first, named: name) {
        carrier.set(tag, directories: [try copy(directory, of: file)])
      }
    }
    return (carrier, found)
  }

  /// Where the carried directories lie.
  private static func offsets(
    in structure: [UInt8]
  ) throws(TIFFReadError) -> [(tag: Int32, field: TIFFField)] {
    let file = try TIFFFile(structure)
    let top = try file.directory(at: file.firstDirectoryOffset, named: "carrier")
    var found: [(tag: Int32, field: TIFFField)] = []
    for (tag, number, _) in directories {
      if let offset = try top.offsets(tag, count: 1...1)?.first {
        found.append((number, .offset(offset)))
      }
    }
    return found
  }

  /// The entries of a directory, but those that point at others and those of types that classic TIFF
  /// does not have.
  private static func copy(
    _ directory: TIFFDirectory,
    of file: TIFFFile
  ) throws(TIFFReadError) -> IFDBuilder {
    var builder = IFDBuilder()
    for entry in directory.entries where entry.tag != .interoperabilityIFD {
      guard let type = entry.type, type.rawValue <= TIFFFieldType.double.rawValue, entry.count > 0
      else { continue }
      let bytes = try directory.storedBytes(of: entry, limit: file.bytes.count)
      builder.set(entry.tag, type: type, bytes: bytes, byteOrder: file.byteOrder)
    }
    return builder
  }

  private static var texts: [(TIFFTag, Int32)] {
    [
      (.imageDescription, TIFFTAG_IMAGEDESCRIPTION), (.make, TIFFTAG_MAKE),
      (.model, TIFFTAG_MODEL), (.dateTime, TIFFTAG_DATETIME), (.artist, TIFFTAG_ARTIST),
      (.copyright, TIFFTAG_COPYRIGHT),
    ]
  }

  private static var directories: [(TIFFTag, Int32, String)] {
    [
      (.exifIFD, TIFFTAG_EXIFIFD, "Exif IFD"), (.gpsIFD, TIFFTAG_GPSIFD, "GPS IFD"),
    ]
  }
}
