internal import Digest
package import Raster
package import RawModel
internal import TIFFContainer

/// Writes DNG files (DNG 1.7.1 chapters 2 to 4): one raw image in IFD0.
package enum DNGWriter {
  /// The bytes of a whole file; they do not depend on the number of lanes.
  ///
  /// - Parameters:
  ///   - frame: The samples to store, `description.bitsPerSample` bits each, and their meaning.
  ///   - encoding: How to store them.
  ///   - metadata: The rest of the file.
  ///   - scheduler: The lanes to work on.
  /// - Returns: The file.
  /// - Throws: `DNGWritingError` where the encoding can't store the samples, where opcode lists are
  ///   not empty (they are not written yet), or where the file would be over 4 GiB.
  package static func write(
    _ frame: borrowing RawFrame,
    encoding: DNGEncoding,
    metadata: DNGMetadata,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> [UInt8] {
    let description = frame.description
    guard
      description.opcodeList1.isEmpty, description.opcodeList2.isEmpty,
      description.opcodeList3.isEmpty
    else {
      throw .opcodesNotWritable
    }
    switch frame.samples {
    case .uint16(let samples):
      return try write(
        samples,
        description,
        encoding: encoding,
        metadata: metadata,
        scheduler: scheduler
      )
    case .uint32: throw .unsupportedSamples(.uint32)
    case .float32: throw .unsupportedSamples(.float32)
    }
  }

  private static func write(
    _ samples: borrowing Plane<UInt16>,
    _ description: RawDescription,
    encoding: DNGEncoding,
    metadata: DNGMetadata,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> [UInt8] {
    let coded = try RawSegments(samples, description, encoding: encoding, scheduler: scheduler)
    let isByte =
      description.bitsPerSample <= 8
      || description.linearizationTable.map { $0.count <= 256 } ?? false
    let digest = NewRawImageDigest.digest(
      of: samples,
      samplesPerPixel: description.layout.samplesPerPixel,
      isByte: isByte,
      scheduler: scheduler
    )
    var directory = IFDBuilder()
    directory.setImage(description, encoding: encoding, coded: coded)
    directory.setLevels(description)
    directory.setProfile(description)
    directory.setMetadata(metadata, description)
    directory.set(.newRawImageDigest, bytes: digest.bytes)
    do {
      return try TIFFWriter.layOut([directory]).assembled()
    } catch {
      throw .container(error)
    }
  }
}
