internal import Raster

extension HEIFPicture {
  /// The YCbCr form of a picture of interleaved RGB.
  static func converting(
    _ picture: borrowing Plane<UInt8>
  ) throws(ImageEncodingError) -> HEIFPicture {
    let size = PixelSize(width: picture.width / 3, height: picture.height)
    var converted = try HEIFPicture.allocate(size: size)
    let (luma, lumaStride) = try unsafe converted.plane(.luma)
    let (blue, blueStride) = try unsafe converted.plane(.blueDifference)
    let (red, redStride) = try unsafe converted.plane(.redDifference)
    let stride = picture.stride
    unsafe picture.withUnsafeSamples { samples in
      for pair in 0..<converted.chromaSize.height {
        // Rows within the picture; the last one of an odd height is its own neighbour. The planes
        // are libheif's, with as many rows and columns as allocate asked for.
        let top = 2 * pair
        let bottom = min(top + 1, size.height - 1)
        unsafe convertRowPair(
          width: size.width,
          top: samples + top * stride,
          bottom: samples + bottom * stride,
          lumaTop: luma + top * lumaStride,
          lumaBottom: luma + bottom * lumaStride,
          blue: blue + pair * blueStride,
          red: red + pair * redStride
        )
      }
    }
    return converted
  }

  /// A smaller copy, each channel averaged for itself.
  mutating func reduced(to size: PixelSize) throws(ImageEncodingError) -> HEIFPicture {
    var reduced = try HEIFPicture.allocate(size: size)
    for channel in Channel.allCases {
      let from = channel == .luma ? self.size : chromaSize
      let to = channel == .luma ? reduced.size : reduced.chromaSize
      let (source, sourceStride) = try unsafe plane(channel)
      let (target, targetStride) = try unsafe reduced.plane(channel)
      // Both planes have the sizes that `allocate` gave them, and different memory.
      unsafe reduceByBox(
        source: source,
        sourceStride: sourceStride,
        sourceSize: (from.width, from.height),
        target: target,
        targetStride: targetStride,
        targetSize: (to.width, to.height)
      )
    }
    return reduced
  }
}
