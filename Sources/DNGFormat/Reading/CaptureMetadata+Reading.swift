internal import RawModel
internal import TIFFContainer

extension CaptureMetadata {
  /// What IFD 0 and the Exif IFD say of camera and moment.
  ///
  /// Cameras that follow TIFF/EP keep the
  /// capture tags in IFD 0, which is asked where the Exif IFD is silent.
  ///
  /// - Throws: `container` for broken tags.
  init(_ file: DNGFile) throws(DNGReadError) {
    let main = file.main
    var places = [main]
    do {
      if let exif = try file.tiff.directory(.exifIFD, of: main.tiff, named: "Exif IFD") {
        places.insert(DNGDirectory(tiff: exif), at: 0)
      }
    } catch {
      throw .container(error)
    }
    func first<Value>(
      _ get: (DNGDirectory) throws(DNGReadError) -> Value?
    ) throws(DNGReadError) -> Value? {
      for place in places {
        if let value = try get(place) { return value }
      }
      return nil
    }
    func measure(_ tag: TIFFTag) throws(DNGReadError) -> Double? {
      try first { (place) throws(DNGReadError) in try place.knownNumber(tag) }
    }
    self.init(
      make: try main.text(.make),
      model: try main.text(.model),
      uniqueCameraModel: try main.text(.uniqueCameraModel),
      lensModel: try first { (place) throws(DNGReadError) in try place.text(.lensModel) },
      isoSpeed: try first { (place) throws(DNGReadError) in
        // Exif allows several values; the first is the one in use.
        try place.integers(.photographicSensitivity, count: 1...16)?.first
      },
      dateTimeOriginal: try first { (place) throws(DNGReadError) in
        try place.text(.dateTimeOriginal)
      },
      exposureTimeSeconds: try measure(.exposureTime),
      fNumber: try measure(.fNumber),
      focalLengthMillimetres: try measure(.focalLength),
      software: try main.text(.software),
      exifBlock: try ExifBlock.bytes(of: file)
    )
  }
}
