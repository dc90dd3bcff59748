internal import TIFFContainer

/// A camera profile within a DNG (DNG 1.7.1, "ExtraCameraProfiles"): like a TIFF file of its own, with
/// the magic number 0x4352 and offsets from its own start.
enum EmbeddedProfile {
  /// The profile at `offset`, laid out anew.
  ///
  /// - Throws: `TIFFReadError` where it is no profile or reaches outside the file.
  static func block(at offset: UInt64, of file: TIFFFile) throws(TIFFReadError) -> [UInt8] {
    guard let start = file.position(offset, byteCount: 8) else {
      throw .directoryOutsideFile(
        directory: "camera profile",
        offset: offset,
        fileSize: file.bytes.count
      )
    }
    var bytes = Array(file.bytes[start...])
    let magic: [UInt8] = bytes[0] == 0x4D ? [0x43, 0x52] : [0x52, 0x43]
    guard Array(bytes[2..<4]) == magic else { throw .notTIFF }
    bytes.replaceSubrange(2..<4, with: bytes[0] == 0x4D ? [0, 42] : [42, 0])
    let profile = try TIFFFile(bytes, limits: file.limits)
    let directory = try profile.directory(
      at: profile.firstDirectoryOffset,
      named: "camera profile"
    )
    var builder = IFDBuilder()
    for entry in directory.entries { try builder.copy(entry, of: directory) }
    guard !builder.isEmpty else { throw .emptyDirectory(directory: "camera profile") }
    var block: [UInt8]
    do throws(TIFFWritingError) {
      block = try TIFFWriter.serialize([builder], byteOrder: profile.byteOrder)
    } catch {
      // It comes from a file whose offsets fit.
      throw .tooManyValues(
        directory.site(.extraCameraProfiles),
        count: UInt64(bytes.count),
        limit: TIFFWriter.byteLimit
      )
    }
    block.replaceSubrange(2..<4, with: magic)
    return block
  }
}
