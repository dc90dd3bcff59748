internal import TIFFContainer

/// Copies the directories of a DNG.
struct DNGOriginalReader {
  let file: DNGFile
  private(set) var makerNote: DNGOriginal.BoundMakerNote?
  private(set) var leftOut: [String] = []

  init(file: DNGFile) {
    self.file = file
  }

  /// IFD 0 and its chain, each with the SubIFDs below it.
  mutating func chain() throws(DNGReadError) -> [DNGOriginal.Image] {
    var indices: [UInt64: Int] = [:]
    for (index, directory) in file.directories.enumerated() {
      indices[directory.tiff.offset] = index
    }
    var chain: [DNGOriginal.Image] = []
    // `DNGFile` has followed every link, to an end and to no directory twice.
    var next = file.tiff.firstDirectoryOffset
    while next != 0, let index = indices[next] {
      chain.append(try image(index, indices))
      next = file.directories[index].tiff.nextOffset
    }
    return chain
  }

  private mutating func image(
    _ index: Int,
    _ indices: [UInt64: Int]
  ) throws(DNGReadError) -> DNGOriginal.Image {
    let directory = file.directories[index]
    var builder = IFDBuilder()
    for entry in directory.tiff.entries where !Self.linkTags.contains(entry.tag) {
      try copy(entry, of: directory, to: &builder)
    }
    let isRaw = index == file.rawIndex
    if !isRaw { try copyImageData(of: directory, to: &builder) }
    try copyExtraProfiles(of: directory, to: &builder)
    var children: [DNGOriginal.Image] = []
    let offsets = try directory.offsets(.subIFDs, count: 1...65_535) ?? []
    for offset in offsets {
      if let child = indices[offset] { children.append(try image(child, indices)) }
    }
    if let gps = try self.directory(.gpsIFD, of: directory, "GPS IFD") {
      builder.set(.gpsIFD, directories: [try flat(gps)])
    }
    return DNGOriginal.Image(
      directory: builder,
      kind: file.images[index].kind,
      isRaw: isRaw,
      children: children
    )
  }

  /// The Exif IFD of IFD 0, with the interoperability IFD below it.
  mutating func exif(in main: inout IFDBuilder) throws(DNGReadError) -> IFDBuilder {
    guard let directory = try directory(.exifIFD, of: file.main, "Exif IFD") else {
      return IFDBuilder()
    }
    var exif = IFDBuilder()
    for entry in directory.tiff.entries where !Self.linkTags.contains(entry.tag) {
      if entry.tag == .makerNote, try !isMakerNoteSafe(), !entry.isInline {
        makerNote = DNGOriginal.BoundMakerNote(
          bytes: try storedBytes(of: entry, in: directory),
          // Within the file, as its bytes are.
          offset: Int(clamping: entry.valueOffset)
        )
      } else {
        try copy(entry, of: directory, to: &exif)
      }
    }
    if let nested = try self.directory(
      .interoperabilityIFD,
      of: directory,
      "interoperability IFD"
    ) {
      exif.set(.interoperabilityIFD, directories: [try flat(nested)])
    }
    return exif
  }

  /// MakerNoteSafety (50741) 1: the maker note is right at any place of any file.
  private func isMakerNoteSafe() throws(DNGReadError) -> Bool {
    try file.main.integer(.makerNoteSafety) == 1
  }

  /// Copies strips or tiles, or the one block of an old-style JPEG.
  private func copyImageData(
    of directory: DNGDirectory,
    to builder: inout IFDBuilder
  ) throws(DNGReadError) {
    for (offsetTag, byteCountTag) in Self.dataTags where directory.has(offsetTag) {
      let any = 1...DNGInspection.Image.tileLimit
      let offsets = try directory.offsets(offsetTag, count: any) ?? []
      let byteCounts = try directory.offsets(byteCountTag, count: any) ?? []
      guard offsets.count == byteCounts.count, !offsets.isEmpty else {
        throw directory.inconsistent(
          offsetTag,
          "has \(offsets.count) values for \(byteCounts.count) byte counts"
        )
      }
      var segments: [[UInt8]] = []
      for (tile, (offset, byteCount)) in zip(offsets, byteCounts).enumerated() {
        guard
          let count = Int(exactly: byteCount),
          let start = file.tiff.position(offset, byteCount: count)
        else {
          throw .tileOutsideFile(
            tile: tile,
            offset: offset,
            byteCount: byteCount,
            fileSize: file.tiff.bytes.count
          )
        }
        segments.append(Array(file.tiff.bytes[start..<start + count]))
      }
      builder.remove(byteCountTag)
      builder.setImageData(offsets: offsetTag, byteCounts: byteCountTag, segments: segments)
      // An image has its data in one way; a second one would need offsets of its own.
      return
    }
  }

  /// Copies the camera profiles that stand in the file in DCP form (ExtraCameraProfiles, 50933).
  private func copyExtraProfiles(
    of directory: DNGDirectory,
    to builder: inout IFDBuilder
  ) throws(DNGReadError) {
    guard let offsets = try directory.offsets(.extraCameraProfiles, count: 1...1024) else { return }
    var blocks: [[UInt8]] = []
    for offset in offsets {
      do throws(TIFFReadError) {
        blocks.append(try EmbeddedProfile.block(at: offset, of: file.tiff))
      } catch {
        throw .container(error)
      }
    }
    builder.set(.extraCameraProfiles, blocks: blocks)
  }

  /// A directory without others below it.
  private mutating func flat(_ directory: DNGDirectory) throws(DNGReadError) -> IFDBuilder {
    var builder = IFDBuilder()
    for entry in directory.tiff.entries where !Self.linkTags.contains(entry.tag) {
      try copy(entry, of: directory, to: &builder)
    }
    return builder
  }

  private mutating func copy(
    _ entry: TIFFEntry,
    of directory: DNGDirectory,
    to builder: inout IFDBuilder
  ) throws(DNGReadError) {
    let isCopied: Bool
    do throws(TIFFReadError) {
      isCopied = try builder.copy(entry, of: directory.tiff)
    } catch {
      throw .container(error)
    }
    // Without values there is nothing to keep.
    if !isCopied, entry.count > 0 { leftOut.append("\(directory.site(entry.tag))") }
  }

  private func storedBytes(
    of entry: TIFFEntry,
    in directory: DNGDirectory
  ) throws(DNGReadError) -> [UInt8] {
    do throws(TIFFReadError) {
      return try directory.tiff.storedBytes(of: entry, limit: .max)
    } catch {
      throw .container(error)
    }
  }

  private func directory(
    _ tag: TIFFTag,
    of directory: DNGDirectory,
    _ name: String
  ) throws(DNGReadError) -> DNGDirectory? {
    do {
      return try file.tiff.directory(tag, of: directory.tiff, named: name)
        .map(DNGDirectory.init)
    } catch {
      throw .container(error)
    }
  }

  /// Tags whose values are offsets, which are made anew.
  private static let linkTags: Set<TIFFTag> = Set(dataTags.map(\.0)).union([
    .subIFDs, .exifIFD, .gpsIFD, .interoperabilityIFD, .extraCameraProfiles,
  ])

  private static let dataTags: [(TIFFTag, TIFFTag)] = [
    (.tileOffsets, .tileByteCounts), (.stripOffsets, .stripByteCounts),
    (.jpegInterchangeFormat, .jpegInterchangeFormatLength),
  ]
}
