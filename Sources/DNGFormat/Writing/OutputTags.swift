internal import Digest
internal import TIFFContainer

/// What an output says of itself in IFD 0, beside what it keeps.
struct OutputTags {
  private let original: DNGOriginal
  private let settings: DNGOutputSettings
  private let isUnchanged: Bool
  /// What could not be kept, in words.
  private(set) var leftOut: [String]

  /// A maker note that lies this far behind everything else is not worth the gap.
  private static let gapLimit = 64 << 10

  init(original: DNGOriginal, settings: DNGOutputSettings, isUnchanged: Bool) {
    self.original = original
    self.settings = settings
    self.isUnchanged = isUnchanged
    leftOut = original.leftOut
  }

  /// Sets what is computed anew and takes away what is stale.
  func set(in file: inout IFDBuilder, digest: MD5Digest?, model: String) {
    // DNG 1.7.1: RawImageDigest is of the same samples in another order; CacheBlob of another program.
    for tag in [TIFFTag.rawImageDigest, .cacheBlob, .newRawImageDigest] { file.remove(tag) }
    if let digest { file.set(.newRawImageDigest, bytes: digest.bytes) }
    if !isUnchanged, file.contains(.rawDataUniqueID) {
      // Other samples are other raw data.
      let identity = (digest?.bytes ?? []) + Array(model.utf8) + Array("\(settings.bitDepth)".utf8)
      file.set(.rawDataUniqueID, bytes: MD5.digest(of: identity).bytes)
    }
    file.set(.software, ascii: settings.software)
    if !file.contains(.orientation) { file.set(.orientation, short: 1) }
    if !file.contains(.uniqueCameraModel) { file.set(.uniqueCameraModel, ascii: model) }
    if let name = settings.originalFileName, !name.isEmpty, !file.contains(.originalRawFileName) {
      if name.utf8.allSatisfy({ $0 < 0x80 }) {
        file.set(.originalRawFileName, ascii: name)
      } else {
        // DNG 1.7.1, "OriginalRawFileName": BYTE where it is UTF-8.
        file.set(.originalRawFileName, bytes: Array(name.utf8) + [0])
      }
    }
  }

  /// Lays the file out, with the maker note at its place if that can be.
  ///
  /// A note that may point into the file is right only at its old offset. Where the new file ends long
  /// before, it goes into DNGPrivateData with its offset, as Adobe's programs keep notes.
  mutating func layOut(
    _ assembly: inout DNGAssembly,
    _ previews: DNGPreviews
  ) throws(DNGWritingError) -> TIFFLayout {
    var exif = original.exif
    if let note = original.makerNote {
      if note.offset >= 8 {
        exif.set(.makerNote, undefined: note.bytes, at: note.offset)
        assembly.changeFile { $0.set(.exifIFD, directories: [exif]) }
        let layout = try Self.layOut(assembly.directories(previews), original.byteOrder)
        if layout.gapByteCount <= Self.gapLimit { return layout }
      }
      exif.remove(.makerNote)
      if assembly.contains(.dngPrivateData) {
        leftOut.append("MakerNote (37500), which is right at offset \(note.offset) alone")
      } else {
        assembly.changeFile { $0.set(.dngPrivateData, bytes: Self.privateData(note, original)) }
      }
    }
    assembly.changeFile { $0.set(.exifIFD, directories: [exif]) }
    return try Self.layOut(assembly.directories(previews), original.byteOrder)
  }

  /// A block `MakN` of DNGPrivateData: length, byte order and offset of the note, then its bytes.
  private static func privateData(
    _ note: DNGOriginal.BoundMakerNote,
    _ original: DNGOriginal
  ) -> [UInt8] {
    func bigEndian(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    let order = original.byteOrder == .littleEndian ? "II" : "MM"
    var data = Array("Adobe\0MakN".utf8) + bigEndian(note.bytes.count + 6)
    data += Array(order.utf8) + bigEndian(note.offset) + note.bytes
    if data.count % 2 == 1 { data.append(0) }
    return data
  }

  private static func layOut(
    _ directories: [IFDBuilder],
    _ byteOrder: TIFFByteOrder
  ) throws(DNGWritingError) -> TIFFLayout {
    do {
      return try TIFFWriter.layOut(directories, byteOrder: byteOrder)
    } catch {
      throw .container(error)
    }
  }
}

extension DNGVersion {
  /// The tag's four bytes.
  var array: [UInt8] { bytes.indices.map { bytes[$0] } }
}
