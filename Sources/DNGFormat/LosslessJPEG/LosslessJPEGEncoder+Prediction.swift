extension LosslessJPEGEncoder {
  /// Fills `differences`.
  ///
  /// T.81 H.1.2.1: the first sample of each component is predicted as half of the range, the rest of
  /// the first line from the left, the first column from above, all others by `predictor`.
  mutating func predict(
    _ samples: Span<UInt16>,
    shape: LosslessJPEGShape,
    predictor: LosslessJPEGPredictor
  ) {
    let count = shape.sampleCount
    if differences.count < count {
      differences = [Int16](repeating: 0, count: count)
    }
    let width = shape.samplesPerRow
    var output = differences.mutableSpan
    subtractLeft(samples, rowStart: 0, width: width, distance: shape.components, into: &output)
    let half = UInt16(1) << UInt16(shape.precision - 1)
    for component in 0..<shape.components {
      output[component] = Int16(bitPattern: samples[component] &- half)
    }
    for row in 1..<max(1, shape.rows) {
      let start = row * width
      switch predictor {
      case .left:
        subtractLeft(
          samples,
          rowStart: start,
          width: width,
          distance: shape.components,
          into: &output
        )
      default:
        subtractPrediction(
          samples,
          rowStart: start,
          width: width,
          distance: shape.components,
          predictor: predictor,
          into: &output
        )
      }
      for component in 0..<shape.components {
        let index = start + component
        output[index] = Int16(bitPattern: samples[index] &- samples[index - width])
      }
    }
  }
}

/// One line but its first column, each sample minus its left neighbour.
private func subtractLeft(
  _ samples: Span<UInt16>,
  rowStart: Int,
  width: Int,
  distance: Int,
  into output: inout MutableSpan<Int16>
) {
  let current = samples.extracting(rowStart + distance..<rowStart + width)
  let left = samples.extracting(rowStart..<rowStart + width - distance)
  let start = rowStart + distance
  for index in 0..<current.count {
    output[start + index] = Int16(bitPattern: current[index] &- left[index])
  }
}

/// One line but its first column, by any predictor.
private func subtractPrediction(
  _ samples: Span<UInt16>,
  rowStart: Int,
  width: Int,
  distance: Int,
  predictor: LosslessJPEGPredictor,
  into output: inout MutableSpan<Int16>
) {
  let current = samples.extracting(rowStart + distance..<rowStart + width)
  let left = samples.extracting(rowStart..<rowStart + width - distance)
  let above = samples.extracting(rowStart + distance - width..<rowStart)
  let aboveLeft = samples.extracting(rowStart - width..<rowStart - distance)
  let start = rowStart + distance
  for index in 0..<current.count {
    let prediction = predictor.predict(
      left: Int32(left[index]),
      above: Int32(above[index]),
      aboveLeft: Int32(aboveLeft[index])
    )
    output[start + index] = Int16(truncatingIfNeeded: Int32(current[index]) &- prediction)
  }
}
