internal import ImageEncoding
internal import JPEGCodec
internal import Raster
internal import RawModel
internal import TIFFContainer

extension Renderer {
  /// A small picture of a file that rawmill writes, or of a DNG by its preview.
  ///
  /// Of a HEIC it is made from the thumbnail in it, of a DNG from the smallest preview that is large
  /// enough, of a TIFF from some of its pixels: nothing is developed.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - longEdge: Pixels of the longer side at most, from 1.
  /// - Returns: The picture as people see it, turned and in sRGB.
  /// - Throws: `ThumbnailError`.
  package static func thumbnail(
    _ file: consuming [UInt8],
    longEdge: Int
  ) throws(ThumbnailError) -> Thumbnail {
    // ISO/IEC 14496-12, 4.3: the file type box comes first.
    if file.count >= 12, file[4..<8].elementsEqual("ftyp".utf8) {
      let plane: Plane<UInt8>
      do throws(ImageEncodingError) {
        plane = try HEICThumbnail.read(file)
      } catch {
        throw .heic(error)
      }
      return try thumbnail(plane, longEdge, .up, .displayP3)
    }
    let preview = try SmallestPreview.find(in: file, longEdge: longEdge)
    return try thumbnail(
      preview.read(longEdge: longEdge),
      longEdge,
      preview.orientation,
      preview.space
    )
  }

  private static func thumbnail(
    _ plane: borrowing Plane<UInt8>,
    _ longEdge: Int,
    _ orientation: Orientation,
    _ space: PreviewPicture.Space
  ) throws(ThumbnailError) -> Thumbnail {
    let picture: PreviewPicture
    do throws(RasterError) {
      picture = try PreviewPicture(
        plane,
        in: space,
        longEdge: longEdge,
        // Turning back by the inverse is turning.
        orientation: orientation.inverse,
        scheduler: TileScheduler(laneCount: 1)
      )
    } catch {
      throw .raster(error)
    }
    return try Thumbnail(picture)
  }
}

extension Orientation {
  /// What undoes it: quarter turns change places, all others are their own inverse.
  fileprivate var inverse: Orientation {
    switch self {
    case .left: .right
    case .right: .left
    default: self
    }
  }
}
