internal import Raster
internal import RawModel
internal import TIFFContainer

/// The rectangles of the raw image: ActiveArea, MaskedAreas, DefaultCrop, DefaultScale.
struct RawAreas {
  let active: Region
  let masked: [Region]
  let crop: DefaultCrop
  let scale: DefaultScale
  let userCrop: DefaultUserCrop

  /// - Throws: `container`, `inconsistentTag`.
  init(
    _ raw: DNGDirectory,
    size: PixelSize,
    _ warnings: inout ReadWarnings
  ) throws(DNGReadError) {
    let frame = Region(size: size)
    var active = frame
    if let edges = try raw.integers(.activeArea, count: 4...4) {
      guard let area = Self.region(edges[...]), frame.contains(area) else {
        throw raw.inconsistent(
          .activeArea,
          "is \(edges) (top, left, bottom, right), no part of the \(size) image"
        )
      }
      active = area
    }
    self.active = active
    // Masked pixels calibrate black, which BlackLevel states already: kept for reports alone.
    let maskedEdges = try raw.integers(.maskedAreas, count: 4...4096) ?? []
    masked = stride(from: 0, to: maskedEdges.count - maskedEdges.count % 4, by: 4)
      .compactMap { Self.region(maskedEdges[$0..<$0 + 4]) }
    let scale = try raw.numbers(.defaultScale, count: 2...2) ?? [1, 1]
    guard scale.allSatisfy({ $0 > 0 }) else {
      throw raw.inconsistent(.defaultScale, "is \(scale); it must be above 0")
    }
    self.scale = DefaultScale(horizontal: scale[0], vertical: scale[1])
    crop = try Self.crop(raw, active: active)
    userCrop = Self.userCrop(raw, &warnings)
  }

  /// DNG 1.7.1, "DefaultUserCrop": top, left, bottom, right, within 0 to 1; what is no such crop shows
  /// everything.
  private static func userCrop(
    _ raw: DNGDirectory,
    _ warnings: inout ReadWarnings
  ) -> DefaultUserCrop {
    let stored = raw.informative(&warnings) { (tiff) throws(TIFFReadError) in
      try tiff.numbers(.defaultUserCrop, count: 4...4)
    }
    guard let edges = stored else { return .whole }
    guard edges.allSatisfy({ (0...1).contains($0) }), edges[0] < edges[2], edges[1] < edges[3]
    else {
      warnings.add("\(raw.site(.defaultUserCrop)) is \(edges), no crop; read as the whole picture")
      return .whole
    }
    return DefaultUserCrop(top: edges[0], left: edges[1], bottom: edges[2], right: edges[3])
  }

  private static func crop(
    _ raw: DNGDirectory,
    active: Region
  ) throws(DNGReadError) -> DefaultCrop {
    let origin = try raw.numbers(.defaultCropOrigin, count: 2...2) ?? [0, 0]
    let size =
      try raw.numbers(.defaultCropSize, count: 2...2)
      ?? [Double(active.width) - origin[0], Double(active.height) - origin[1]]
    guard origin[0] >= 0, origin[1] >= 0 else {
      throw raw.inconsistent(.defaultCropOrigin, "is \(origin); it must not be negative")
    }
    // A fraction of a pixel beyond the edge comes from rationals that were rounded.
    guard
      size[0] > 0, size[1] > 0, origin[0] + size[0] <= Double(active.width) + 0.5,
      origin[1] + size[1] <= Double(active.height) + 0.5
    else {
      throw raw.inconsistent(
        .defaultCropSize,
        "is \(size[0])x\(size[1]) from \(origin[0]), \(origin[1]), no part of the active area of "
          + "\(active.size)"
      )
    }
    return DefaultCrop(originX: origin[0], originY: origin[1], width: size[0], height: size[1])
  }

  /// The region with these edges (top, left, bottom, right), or nil where it is empty.
  private static func region(_ edges: ArraySlice<Int>) -> Region? {
    let (top, left) = (edges[edges.startIndex], edges[edges.startIndex + 1])
    let (bottom, right) = (edges[edges.startIndex + 2], edges[edges.startIndex + 3])
    let limits = 0...Int(UInt32.max)
    guard
      limits.contains(top), limits.contains(left), limits.contains(bottom), limits.contains(right),
      top < bottom, left < right
    else { return nil }
    return Region(left: left, top: top, width: right - left, height: bottom - top)
  }
}
