package import TIFFContainer

/// What a DNG says beyond its samples and their description.
package struct DNGMetadata: Sendable {
  /// The program that wrote the file (305).
  package var software: String
  /// The source's own date of last change (306, `YYYY:MM:DD HH:MM:SS`); never the time of writing.
  package var dateTime: String?
  /// The Exif IFD; may be empty.
  package var exif: IFDBuilder
  /// The GPS IFD; may be empty.
  package var gps: IFDBuilder
  /// Noise of a plane as variance = scale * signal + offset, signals from 0 to 1 (NoiseProfile,
  /// 51041); one pair for all planes.
  package var noiseProfile: (scale: Double, offset: Double)?

  package init(
    software: String,
    dateTime: String? = nil,
    exif: IFDBuilder = IFDBuilder(),
    gps: IFDBuilder = IFDBuilder(),
    noiseProfile: (scale: Double, offset: Double)? = nil
  ) {
    self.software = software
    self.dateTime = dateTime
    self.exif = exif
    self.gps = gps
    self.noiseProfile = noiseProfile
  }
}
