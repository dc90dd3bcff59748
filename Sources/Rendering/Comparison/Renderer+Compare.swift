package import DNGFormat
internal import Develop
internal import Digest
package import Raster
internal import RawModel

extension Renderer {
  /// Compares two raws: their samples after linearisation, and their tags.
  ///
  /// Both are decoded anew from the bytes given.
  ///
  /// - Parameters:
  ///   - first: The whole original file; errors count in its codes.
  ///   - second: The whole file that was made of it.
  ///   - demosaics: Whether the second holds what is made of a mosaic where it is stored as LinearRaw: a
  ///     mosaic is then demosaiced anew, and what comes of it takes its place.
  ///   - scheduler: The lanes of decoding; the result does not depend on them.
  ///   - digestPolicy: What it means that the first's samples don't have the digest that it states. A
  ///     second that is not the first's own bytes was made anew: `warn` does not excuse it.
  /// - Returns: The errors, and the tags that differ.
  /// - Throws: `decode` for the first file that is no sound, supported raw; `develop` where the mosaic
  ///   can't be demosaiced.
  package static func compare(
    _ first: [UInt8],
    _ second: [UInt8],
    demosaics: Bool = false,
    scheduler: TileScheduler,
    digestPolicy: DigestPolicy = .error
  ) throws(RenderError) -> RawComparison {
    // Of a mosaic of another kind nothing is demosaiced: its name says so.
    let use: RawUse = demosaics ? .development : .storage
    let left = try decode(first, scheduler: scheduler, digestPolicy: digestPolicy, use: use)
    let right = try decode(
      second,
      scheduler: scheduler,
      digestPolicy: digestPolicy == .warn && second != first ? .error : digestPolicy,
      use: use
    )
    let file = file(first, left, RawImageDigest.mosaicSHA256(left))
    var comparison: RawComparison
    if demosaics, left.description.layout.isMosaic {
      let linear: RawFrame
      do throws(DevelopError) {
        linear = try Developer.linearRaw(left, scheduler: scheduler)
      } catch {
        throw .develop(error)
      }
      comparison = compare(file, linear, second, right, isDemosaiced: true)
    } else {
      comparison = compare(file, left, second, right, isDemosaiced: false)
    }
    comparison.tags = TagComparison.differences(first, second)
    return comparison
  }

  private static func compare(
    _ file: RawComparison.File,
    _ left: borrowing RawFrame,
    _ second: [UInt8],
    _ right: borrowing RawFrame,
    isDemosaiced: Bool
  ) -> RawComparison {
    let shapeDifference = shapeDifference(left.description, right.description)
    var samples: SampleComparison?
    if shapeDifference == nil {
      samples = SampleComparator(left.description, right.description).compare(left, right)
    }
    // The same samples have the same digest where they count as many bytes.
    let isSame =
      samples?.areStoredSamplesEqual == true && !isDemosaiced
      && left.description.bitsPerSample == right.description.bitsPerSample
    let digest = isSame ? file.samplesSHA256 : RawImageDigest.mosaicSHA256(right)
    return RawComparison(
      first: file,
      second: Renderer.file(second, right, digest),
      samples: samples,
      shapeDifference: shapeDifference,
      isDemosaiced: isDemosaiced,
      tags: nil
    )
  }

  private static func file(
    _ bytes: [UInt8],
    _ frame: borrowing RawFrame,
    _ samplesSHA256: SHA256Digest
  ) -> RawComparison.File {
    RawComparison.File(
      byteCount: bytes.count,
      sha256: SHA256.digest(of: bytes),
      samplesSHA256: samplesSHA256,
      bitsPerSample: frame.description.bitsPerSample,
      warnings: frame.description.warnings
    )
  }

  private static func shapeDifference(
    _ left: RawDescription,
    _ right: RawDescription
  ) -> String? {
    if left.size != right.size {
      return
        "\(left.size.width)x\(left.size.height) and \(right.size.width)x\(right.size.height)"
    }
    return left.layout == right.layout ? nil : "\(text(left.layout)) and \(text(right.layout))"
  }

  private static func text(_ layout: SampleLayout) -> String {
    switch layout {
    case .mosaic(let pattern): "mosaic \(pattern.rawValue)"
    case .array(let array): "mosaic \(array.text)"
    case .linear(let planes): "linear with \(planes) \(planes == 1 ? "plane" : "planes")"
    }
  }
}
