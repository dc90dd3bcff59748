package import ColorScience
internal import Raster
package import RawModel
package import Recipe

/// A place of a raw that is to be rendered neutral, and the white that does it.
///
/// The place is a pixel of the whole turned picture, neither cropped nor resized and with its lens corrected as
/// the recipe says, whole numbers being pixel centres from the top-left one on.
/// The camera values around it are averaged after black is taken off and the gain maps of OpcodeList2 are
/// applied: four by four cells of a mosaic, five by five pixels of a LinearRaw. Their ratios are a neutral
/// as the camera saw it, whose chromaticity is found as that of AsShotNeutral is. Where a sample is clipped
/// its colour is unknown, and under a hundredth of white noise outweighs it: such places are refused.
package enum NeutralSpot {
  /// Samples from this share of white count as clipped; sensors saturate a little before their white level.
  private static let clipLevel: Float = 0.99
  /// A channel whose mean is under this share of white is too dark.
  private static let darkLevel = 0.01

  /// The white of a place; D50 for monochrome raws, which have none.
  ///
  /// `adjustments` say how the picture is turned and whether its lens is corrected.
  ///
  /// - Throws: `neutralLocationUnusable` for a place outside the picture, clipped or too dark; what is wrong with
  ///   the raw.
  package static func white(
    at point: RecipePoint,
    of frame: borrowing RawFrame,
    as adjustments: DevelopAdjustments = DevelopAdjustments()
  ) throws(DevelopError) -> Chromaticity {
    let description = frame.description
    guard description.layout != .linear(planes: 1) else { return .d50 }
    func unusable(_ reason: String) -> DevelopError {
      .neutralLocationUnusable(x: point.x, y: point.y, reason: reason)
    }
    var whole = DevelopAdjustments()
    whole.crop = .whole
    whole.orientation = adjustments.orientation
    whole.isLensCorrectionEnabled = adjustments.isLensCorrectionEnabled
    whole.decoderVersion = adjustments.decoderVersion
    let settings = try DevelopSettings(resolving: whole, for: description)
    let plan = try DevelopPlan(description, settings: settings)
    guard
      frame.samples.width == description.size.width * description.layout.samplesPerPixel,
      frame.samples.height == description.size.height
    else {
      throw .geometryUnusable(tag: "ImageWidth", reason: "does not fit the decoded samples")
    }
    let size = plan.geometry.size
    let x = point.x.rounded()
    let y = point.y.rounded()
    guard x >= 0, y >= 0, x < Double(size.width), y < Double(size.height) else {
      throw unusable("lies outside the picture of \(size.width)x\(size.height) pixels")
    }
    let place = plan.unwarped(plan.geometry.source(x: Int(x), y: Int(y)))
    let samples: [[Float]]
    do throws(RasterError) {
      samples = try Self.samples(of: frame, in: window(around: place, plan), plan)
    } catch {
      throw .raster(error)
    }
    var neutral = Vector3()
    for (color, name) in ["red", "green", "blue"].enumerated() {
      guard !samples[color].contains(where: { $0 >= clipLevel }) else {
        throw unusable("is clipped in \(name), so its colour is unknown")
      }
      let sum = samples[color].reduce(0.0) { $0 + Double($1) }
      let mean = sum / Double(max(samples[color].count, 1))
      guard mean >= darkLevel else {
        throw unusable("is too dark: \(name) is under a hundredth of white")
      }
      neutral[color] = mean
    }
    return try CameraColorModel(description.color).white(for: neutral / neutral.max())
  }

  /// What is averaged: in pixels of the active area.
  private static func window(around place: (x: Int, y: Int), _ plan: DevelopPlan) -> Region {
    let area = plan.geometry.activeArea.size
    func range(_ center: Int, _ count: Int) -> Range<Int> {
      if plan.layout.isMosaic {
        // Whole cells: two on each side of the place's nearest cell border.
        let first = min(max((center + 1) / 2 - 2, 0), max(count / 2 - 4, 0))
        return (2 * first)..<min(2 * first + 8, count)
      }
      return max(center - 2, 0)..<min(center + 3, count)
    }
    let columns = range(place.x, area.width)
    let rows = range(place.y, area.height)
    return Region(
      left: columns.lowerBound,
      top: rows.lowerBound,
      width: columns.count,
      height: rows.count
    )
  }

  /// The linear samples of red, green and blue in a region, white being 1, before white balance.
  private static func samples(
    of frame: borrowing RawFrame,
    in region: Region,
    _ plan: DevelopPlan
  ) throws(RasterError) -> [[Float]] {
    let description = frame.description
    let planes = description.layout.samplesPerPixel
    let area = description.activeArea
    let black = description.blackLevel
    let table = description.linearizationTable
    var memory = try ScratchMemory(rowCount: 3, samples: region.width + 1)
    let rows = memory.take(3)
    // A line begins at an even column.
    let left = region.left & ~1
    var result: [[Float]] = [[], [], []]
    for y in region.rows {
      let stored = frame.samples.values(ofRow: area.top + y)
      for plane in 0..<planes {
        let line = SampleLine(
          even: rows.row(0),
          odd: rows.row(1),
          start: 0,
          columns: left..<region.right,
          y: y,
          sample: plane,
          scratch: rows.row(2)
        )
        let range = description.whiteLevel[plane] - black.highest(sample: plane)
        for x in left..<region.right {
          let code = stored[(area.left + x) * planes + plane]
          var linear = code
          if let table, !table.isEmpty {
            linear = Double(table[min(max(Int(code), 0), table.count - 1)])
          }
          let level = black.level(row: y, column: x, sample: plane)
          line[x] = Float(min((linear - level) / range, 1))
        }
        for stage in plan.lineStages { stage.apply(line) }
        for x in region.columns {
          let color =
            switch plan.layout {
            case .mosaic(let pattern): pattern.colors[2 * (y & 1) + (x & 1)]
            case .linear: plane
            case .array: preconditionFailure("other filter arrays are refused before")
            }
          result[color].append(line[x])
        }
      }
    }
    return result
  }
}

extension DevelopPlan {
  /// The pixel whose light the lens correction brings to a pixel of the active area, as green says.
  func unwarped(_ place: (x: Int, y: Int)) -> (x: Int, y: Int) {
    var x = Lanes(repeating: Float(place.x))
    var y = Lanes(repeating: Float(place.y))
    for case .warp(let warp) in stages.reversed() {
      let (moveX, moveY) = warp.shift(1, x: x, y: y)
      x += moveX
      y += moveY
    }
    let area = geometry.activeArea
    return (
      x: min(max(Int(x[0].rounded()), 0), area.width - 1),
      y: min(max(Int(y[0].rounded()), 0), area.height - 1)
    )
  }
}

extension PictureGeometry {
  /// The pixel of the active area that comes to a place of the turned picture.
  func source(x: Int, y: Int) -> (x: Int, y: Int) {
    let origin = placement(x: crop.left, y: crop.top)
    let below = placement(x: crop.left, y: crop.top + 1)
    // One step along a row and one along a column move the place by one pixel, along different axes.
    let dx = x - origin.x
    let dy = y - origin.y
    return (
      x: crop.left + dx * origin.stepX + dy * origin.stepY,
      y: crop.top + dx * (below.x - origin.x) + dy * (below.y - origin.y)
    )
  }
}
