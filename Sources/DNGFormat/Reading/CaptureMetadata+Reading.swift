internal import RawModel
internal import TIFFContainer

extension CaptureMetadata {
  /// What IFD 0 and the Exif IFD say of camera and moment.
  ///
  /// Cameras that follow TIFF/EP keep the
  /// capture tags in IFD 0, which is asked where the Exif IFD is silent. None of them changes a pixel,
  /// so a damaged one counts as absent.
  ///
  /// - Throws: `container` where the Exif or the GPS IFD can't be read.
  init(_ file: DNGFile, _ warnings: inout ReadWarnings) throws(DNGReadError) {
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
      _ get: (TIFFDirectory) throws(TIFFReadError) -> Value?
    ) -> Value? {
      for place in places {
        if let value = place.informative(&warnings, get) { return value }
      }
      return nil
    }
    func text(_ tag: TIFFTag) -> String? {
      first { (place) throws(TIFFReadError) in try place.text(tag) }
    }
    func mainText(_ tag: TIFFTag) -> String? {
      main.informative(&warnings) { (place) throws(TIFFReadError) in try place.text(tag) }
    }
    func measure(_ tag: TIFFTag) -> Double? {
      first { (place) throws(TIFFReadError) in try place.number(tag) }
    }
    self.init(
      make: mainText(.make),
      model: mainText(.model),
      uniqueCameraModel: mainText(.uniqueCameraModel),
      lensModel: text(.lensModel),
      isoSpeed: first { (place) throws(TIFFReadError) in
        // Exif allows several values; the first is the one in use, and 0 is none.
        let values = try place.integers(.photographicSensitivity, count: 1...16)
        return values?.first.flatMap { $0 > 0 ? $0 : nil }
      },
      dateTimeOriginal: text(.dateTimeOriginal),
      exposureTimeSeconds: measure(.exposureTime),
      fNumber: measure(.fNumber),
      focalLengthMillimetres: measure(.focalLength),
      focalLengthIn35mmFilm: measure(.focalLengthIn35mmFilm).flatMap { $0 > 0 ? $0 : nil },
      focalPlane: FocalPlane(
        x: measure(.focalPlaneXResolution),
        y: measure(.focalPlaneYResolution),
        unit: measure(.focalPlaneResolutionUnit),
        width: measure(.pixelXDimension),
        height: measure(.pixelYDimension)
      ),
      software: mainText(.software),
      exifBlock: try ExifBlock.bytes(of: file, &warnings)
    )
  }
}
