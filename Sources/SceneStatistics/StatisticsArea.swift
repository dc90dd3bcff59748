internal import Raster
internal import RawModel

/// The pixels that statistics are taken of: those of the active area whose centres lie within the
/// default crop.
struct StatisticsArea {
  /// In pixels of the stored frame.
  let region: Region
  /// The same from the active area's corner, where CFA and black level patterns begin.
  let inActiveArea: Region

  init(_ description: RawDescription) throws(StatisticsError) {
    let active = description.activeArea
    guard !active.isEmpty, Region(size: description.size).contains(active) else {
      throw .areaUnusable(tag: "ActiveArea")
    }
    let crop = description.defaultCrop
    func first(_ edge: Double, _ limit: Int) throws(StatisticsError) -> Int {
      guard edge.isFinite else { throw .areaUnusable(tag: "DefaultCropSize") }
      // The first pixel whose centre, half a pixel in, is not left of the edge.
      return Int(min(max((edge - 0.5).rounded(.up), 0), Double(limit)))
    }
    let left = try first(crop.originX, active.width)
    let top = try first(crop.originY, active.height)
    let right = try first(crop.originX + crop.width, active.width)
    let bottom = try first(crop.originY + crop.height, active.height)
    guard left < right, top < bottom else { throw .areaUnusable(tag: "DefaultCropSize") }
    inActiveArea = Region(left: left, top: top, width: right - left, height: bottom - top)
    region = Region(
      left: active.left + left,
      top: active.top + top,
      width: right - left,
      height: bottom - top
    )
  }
}
