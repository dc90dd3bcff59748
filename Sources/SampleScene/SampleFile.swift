package import DNGFormat
package import Raster
internal import RawModel

/// The DNG files that `rawmill sample` writes, one for each way to store a raw.
package enum SampleFile: String, CaseIterable, Sendable {
  /// A Bayer mosaic in lossless JPEG tiles.
  case bayerLosslessJPEG = "bayer-lossless-jpeg.dng"
  /// A Bayer mosaic as packed 14-bit samples; a portrait with Orientation 6.
  case bayerPacked14Bit = "bayer-packed-14bit.dng"
  /// Demosaiced 12-bit planes in lossless JPEG tiles.
  case linearRaw = "linear-raw.dng"

  /// The file's name, without a folder.
  package var name: String { rawValue }

  /// How the samples are stored.
  package var encoding: DNGEncoding {
    switch self {
    case .bayerLosslessJPEG, .linearRaw: .losslessJPEG()
    case .bayerPacked14Bit: .uncompressed
    }
  }

  /// The photograph in the file.
  ///
  /// - Parameter size: The stored frame; at least 1x1.
  /// - Returns: A scene whose samples have not been computed yet.
  package func scene(size: PixelSize = SampleScene.fullSize) -> SampleScene {
    switch self {
    case .bayerLosslessJPEG: SampleScene(size: size, kind: .mosaic)
    case .bayerPacked14Bit: SampleScene(size: size, kind: .mosaic, orientation: .right)
    case .linearRaw: SampleScene(size: size, kind: .linear)
    }
  }

  /// Computes the scene and writes it as a DNG; the bytes do not depend on the number of lanes.
  ///
  /// - Parameters:
  ///   - size: The stored frame; at least 1x1.
  ///   - scheduler: The lanes to work on.
  /// - Returns: The whole file.
  /// - Throws: `DNGWritingError.memory` where the samples can't be allocated.
  package func bytes(
    size: PixelSize = SampleScene.fullSize,
    scheduler: TileScheduler
  ) throws(DNGWritingError) -> [UInt8] {
    let scene = scene(size: size)
    let frame: RawFrame
    do {
      frame = try scene.frame(scheduler: scheduler)
    } catch {
      throw .memory(error)
    }
    return try DNGWriter.write(
      frame,
      encoding: encoding,
      metadata: SampleCapture.dngMetadata(noise: scene.noise),
      scheduler: scheduler
    )
  }
}
