internal import Diagnostics
internal import TIFFContainer

/// The profiles beside the main one (ExtraCameraProfiles, 50933).
///
/// Each is a TIFF structure of its own within the file, with the magic number 0x4352 and offsets from its
/// own start (DNG 1.7.1, "ExtraCameraProfiles"). They are listed and not used: a rendering takes the main one.
enum ExtraCameraProfiles {
  /// Profiles that are listed; cameras and converters write a dozen.
  private static let limit = 64

  /// Bytes of one profile that are looked at.
  private static let byteLimit = 8 << 20

  /// The names, nil for a profile without one; a damaged list ends where it can't be read, with a warning.
  static func names(of file: DNGFile, _ warnings: inout ReadWarnings) -> [String?] {
    let stored = file.main.informative(&warnings) { (tiff) throws(TIFFReadError) in
      try tiff.offsets(.extraCameraProfiles, count: 1...limit)
    }
    var names: [String?] = []
    for (index, offset) in (stored ?? []).enumerated() {
      do throws(TIFFReadError) {
        names.append(try name(at: offset, of: file))
      } catch {
        warnings.add("the extra camera profile \(index) can't be read: \(error.message)")
        return names
      }
    }
    return names
  }

  private static func name(at offset: UInt64, of file: DNGFile) throws(TIFFReadError) -> String? {
    guard let start = file.tiff.position(offset, byteCount: 8) else {
      throw .directoryOutsideFile(
        directory: "extra camera profile",
        offset: offset,
        fileSize: file.tiff.bytes.count
      )
    }
    // The profile as a file: its header differs from TIFF's in the magic number alone.
    let end = min(file.tiff.bytes.count, start + byteLimit)
    var bytes = Array(file.tiff.bytes[start..<end])
    let isBigEndian = bytes[0] == 0x4D
    guard bytes[isBigEndian ? 2 : 3] == 0x43, bytes[isBigEndian ? 3 : 2] == 0x52 else {
      throw .notTIFF
    }
    bytes[2] = isBigEndian ? 0 : 42
    bytes[3] = isBigEndian ? 42 : 0
    let profile = try TIFFFile(bytes)
    let directory = try profile.directory(
      at: profile.firstDirectoryOffset,
      named: "extra camera profile"
    )
    return try directory.text(.profileName)
  }
}
