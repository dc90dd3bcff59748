import Digest
import ImageEncoding
import Testing

/// Bytes of whole files, as Debian 12's libraries write them on every processor.
///
/// A new digest means new output bytes: `PixelVersion.current` goes up with it.
@Suite struct EncoderGoldenTests {
  @Test func displayP3Profile() throws {
    #expect(
      SHA256.digest(of: try ICCProfile(.displayP3).bytes).hex
        == "a5221e096e57bc5d880a13d87bb95f961d16af529e56ceeed29e3ee498963ebc"
    )
  }

  @Test func heic() throws {
    let sink = MemorySink()
    _ = try HEICEncoder.encode(
      try TestPicture.photograph(width: 421, height: 303),
      settings: HEICSettings(),
      metadata: ImageMetadata(exifBlock: try makeExifBlock()),
      to: sink
    )
    #expect(
      SHA256.digest(of: sink.bytes).hex
        == "b9ba4e004bc674dbad6c88d20aea1f2334679a410552bc5d17401beccab10326"
    )
  }

  @Test func tiff() throws {
    let sink = MemorySink()
    _ = try TIFFEncoder.encode(
      try TestPicture.noise(UInt16.self, width: 211, height: 103),
      settings: TIFFSettings(),
      metadata: ImageMetadata(exifBlock: try makeExifBlock()),
      to: sink
    )
    #expect(
      SHA256.digest(of: sink.bytes).hex
        == "86d7cb4edba62b8295e7574c1dbc234ba9f4d252dccd59caf40d28f6b7c84ea1"
    )
  }
}
