internal import DNGFormat
internal import Raster
internal import RawModel

extension Bench {
  /// From the file to checked samples, as a job's first stage does it.
  static let dngDecode = Bench(
    name: "dng.decode",
    summary: "read a DNG file and decode its samples, with all checks"
  ) { input in
    let frame = try DNGReader.read(input.bytes(), scheduler: input.scheduler)
    return Prepared(megapixels: frame.description.size.megapixels) {
      _ = try DNGReader.read(input.bytes(), scheduler: input.scheduler)
    }
  }

  /// From samples in memory to the parts of a DNG as a job writes them, NewRawImageDigest included.
  static let dngEncodeLosslessJPEG = Bench(
    name: "dng.encode.losslessJPEG",
    summary: "write the samples as a lossless JPEG DNG in memory, with NewRawImageDigest"
  ) { input in
    let bytes = try input.bytes()
    let frame = try DNGReader.read(bytes, scheduler: input.scheduler)
    let original = try DNGOriginal(bytes)
    return Prepared(megapixels: frame.description.size.megapixels) {
      _ = try DNGWriter.write(
        frame,
        keeping: original,
        settings: DNGOutputSettings(software: "rawmill-bench"),
        scheduler: input.scheduler
      )
    }
  }
}

extension PixelSize {
  /// The pixels in millions.
  var megapixels: Double { Double(pixelCount) / 1e6 }
}
