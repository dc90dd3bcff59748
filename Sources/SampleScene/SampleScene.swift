internal import ColorScience
package import Raster
package import RawModel

/// A photograph that the project computes: a scene of known colours, seen by a camera of its own.
///
/// Colour chart, grey ramps, zone plate, line bars, saturated colours, a smooth sky and a sun that
/// clips, with the noise of a sensor. Samples depend on size, kind and orientation alone: every row
/// has random numbers of its own, so that lanes and their order don't matter.
package struct SampleScene: Sendable {
  /// What the file holds.
  package enum Kind: Sendable {
    /// A Bayer mosaic (RGGB) of 14 bits, one exposure.
    case mosaic
    /// Three demosaiced planes of 12 bits, exposures merged.
    case linear
  }

  /// The frame as stored.
  package let size: PixelSize
  package let kind: Kind
  /// How the camera was held: `up` or `right` (a portrait, stored lying on its side).
  package let orientation: Orientation

  /// 12 megapixels, the size of many phones' and action cameras' sensors.
  package static let fullSize = PixelSize(width: 4032, height: 3024)

  private let camera = SampleCamera()
  private let content: SceneContent

  /// - Precondition: The size is at least 1x1 and the orientation one of the two.
  package init(size: PixelSize = fullSize, kind: Kind, orientation: Orientation = .up) {
    precondition(size.width > 0 && size.height > 0, "a frame needs a size")
    precondition(orientation == .up || orientation == .right, "not an orientation of the scene")
    self.size = size
    self.kind = kind
    self.orientation = orientation
    content = SceneContent(size: orientation.turned(size))
  }

  /// Variance of the samples around the scene, for signals from 0 to 1.
  package var noise: SensorNoise {
    switch kind {
    case .mosaic: .singleExposure
    case .linear: .mergedExposures
    }
  }

  /// What the samples mean.
  package var description: RawDescription {
    let planes = layout.samplesPerPixel
    return RawDescription(
      size: size,
      layout: layout,
      bitsPerSample: bitsPerSample,
      linearizationTable: nil,
      blackLevel: BlackLevel(Double(blackLevel), samplesPerPixel: planes),
      whiteLevel: [Double](repeating: Double(whiteLevel), count: planes),
      activeArea: Region(size: size),
      defaultCrop: DefaultCrop(
        originX: 0,
        originY: 0,
        width: Double(size.width),
        height: Double(size.height)
      ),
      orientation: orientation,
      color: camera.color,
      baselineExposure: SampleCamera.headroom,
      capture: SampleCapture.metadata
    )
  }

  private var layout: SampleLayout {
    switch kind {
    case .mosaic: .mosaic(.rggb)
    case .linear: .linear(planes: 3)
    }
  }

  private var bitsPerSample: Int { kind == .mosaic ? 14 : 12 }
  private var blackLevel: Int { kind == .mosaic ? 512 : 128 }
  private var whiteLevel: Int { (1 << bitsPerSample) - 1 }

  /// The photograph's samples.
  package func frame(scheduler: TileScheduler) throws(RasterError) -> RawFrame {
    let planes = layout.samplesPerPixel
    var samples = try Plane<UInt16>(width: size.width * planes, height: size.height)
    samples.withTileWriter { writer in
      func exposeRow(_ y: Int, _ scene: inout [Vector3]) {
        fill(&scene, row: y)
        writer.withRow(y, columns: 0..<writer.width) { row in
          expose(scene, row: y, into: &row)
        }
      }
      scheduler.forEach(
        count: size.height,
        laneState: { [Vector3](repeating: Vector3(), count: size.width) },
        body: exposeRow
      )
    }
    return RawFrame(samples: samples, description: description)
  }

  /// The scene's colours along one stored row.
  private func fill(_ scene: inout [Vector3], row y: Int) {
    for x in scene.indices {
      let point = uprightPoint(x: x, y: y)
      scene[x] = content.background(x: point.x, y: point.y)
    }
    for element in content.elements {
      let bounds = storedRegion(element.bounds)
      guard bounds.rows.contains(y) else { continue }
      for x in bounds.columns {
        let point = uprightPoint(x: x, y: y)
        scene[x] = element.color(x: point.x, y: point.y)
      }
    }
  }

  /// Camera values with noise as codes.
  private func expose(_ scene: [Vector3], row y: Int, into row: inout MutableSpan<UInt16>) {
    var random = RowNoiseGenerator(seed: kind == .mosaic ? 1 : 2, row: y)
    let planes = layout.samplesPerPixel
    for x in scene.indices {
      let values = camera.sceneToCamera * scene[x]
      switch kind {
      case .mosaic:
        // RGGB: red, green, green, blue.
        row[x] = code(values[y % 2 + x % 2], &random)
      case .linear:
        for plane in 0..<planes { row[x * planes + plane] = code(values[plane], &random) }
      }
    }
  }

  /// The code of one sample: light can't be negative, and the sensor clips at white.
  private func code(_ value: Double, _ random: inout RowNoiseGenerator) -> UInt16 {
    let signal = max(value, 0)
    let noisy = signal + noise.standardDeviation(signal: signal) * random.next()
    let code = Double(blackLevel) + noisy * Double(whiteLevel - blackLevel)
    return UInt16(min(max(code, 0), Double(whiteLevel)).rounded())
  }

  /// The middle of a stored pixel in the upright picture.
  private func uprightPoint(x: Int, y: Int) -> (x: Double, y: Double) {
    switch orientation {
    case .right: (Double(size.height - 1 - y) + 0.5, Double(x) + 0.5)
    default: (Double(x) + 0.5, Double(y) + 0.5)
    }
  }

  /// The stored pixels of a region of the upright picture.
  private func storedRegion(_ region: Region) -> Region {
    switch orientation {
    case .right:
      Region(
        left: region.top,
        top: size.height - region.right,
        width: region.height,
        height: region.width
      )
    default: region
    }
  }
}
