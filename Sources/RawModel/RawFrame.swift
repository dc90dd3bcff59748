package import Raster

/// A decoded raw: the stored samples, before any linearisation, and what they mean.
///
/// `samples` holds the whole stored frame (ImageWidth x ImageLength, masked pixels included),
/// `description.samplesPerPixel` samples interleaved per pixel.
package struct RawFrame: ~Copyable {
  package var samples: Plane<UInt16>
  package let description: RawDescription

  package init(samples: consuming Plane<UInt16>, description: RawDescription) {
    self.samples = samples
    self.description = description
  }
}
