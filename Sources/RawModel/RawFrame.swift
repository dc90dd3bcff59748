package import Raster

/// A decoded raw: the stored samples, before any linearisation, and what they mean.
///
/// `samples` holds the whole stored frame (ImageWidth x ImageLength, masked pixels included),
/// `description.layout.samplesPerPixel` samples interleaved per pixel.
package struct RawFrame: ~Copyable {
  package var samples: StoredSamples
  package var description: RawDescription

  package init(samples: consuming StoredSamples, description: RawDescription) {
    self.samples = samples
    self.description = description
  }

  /// A frame of samples of up to 16 bits.
  package init(samples: consuming Plane<UInt16>, description: RawDescription) {
    self.init(samples: .uint16(samples), description: description)
  }
}
