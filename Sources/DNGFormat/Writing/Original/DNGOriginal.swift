internal import TIFFContainer

/// What of a DNG is kept when its raw image is coded anew: every tag with its values as they stand, and
/// the other images as they are coded.
///
/// It holds its own copies, so that the file's bytes can be freed before samples are encoded.
package struct DNGOriginal: Sendable {
  /// One image directory with those that hang from it.
  struct Image: Sendable {
    /// All entries but SubIFDs; of the raw image without its strips or tiles.
    var directory: IFDBuilder
    var kind: DNGImageKind
    var isRaw: Bool
    var children: [Image]
  }

  /// The maker note, where it may hold offsets from the file's start: it is right at its own place
  /// alone.
  struct BoundMakerNote: Sendable {
    var bytes: [UInt8]
    var offset: Int
  }

  /// The order in which everything was stored, maker notes, private data and coded samples included.
  let byteOrder: TIFFByteOrder
  let version: DNGVersion
  /// IFD 0 and the chain behind it.
  var chain: [Image]
  /// The Exif IFD without a maker note that is bound to its place; empty without one.
  var exif: IFDBuilder
  var makerNote: BoundMakerNote?
  /// Tags that could not be copied, in words.
  var leftOut: [String]

  /// Reads what a file holds beside its raw image's samples.
  ///
  /// - Throws: `DNGReadError` where a value or another image's data lies outside the file.
  package init(_ bytes: [UInt8]) throws(DNGReadError) {
    try self.init(DNGFile(bytes))
  }

  init(_ file: DNGFile) throws(DNGReadError) {
    var reader = DNGOriginalReader(file: file)
    byteOrder = file.tiff.byteOrder
    version = file.version
    chain = try reader.chain()
    exif = try reader.exif(in: &chain[0].directory)
    makerNote = reader.makerNote
    leftOut = reader.leftOut
  }
}
