/// Writes the differences of a row's samples and their predictions.
///
/// T.81 H.1.2.1: the first sample of each component is predicted as half of the range, the rest of
/// the first line from the left, the first column from above, all others by `predictor`.
///
/// - Parameters:
///   - samples: The row.
///   - above: The row before, from its start; predictor 1 looks at its first pixel alone.
///   - isFirst: Whether it is the first row.
///   - shape: The frame's.
///   - predictor: That of most samples.
///   - differences: Gets as many differences.
func subtractPredictions(
  _ samples: Span<UInt16>,
  above: [UInt16],
  isFirst: Bool,
  shape: LosslessJPEGShape,
  predictor: LosslessJPEGPredictor,
  into differences: inout [Int16]
) {
  let distance = shape.components
  var output = differences.mutableSpan
  if isFirst || predictor == .left {
    subtractLeft(samples, distance: distance, into: &output)
  } else {
    subtractPrediction(
      samples,
      above: above.span.extracting(0..<samples.count),
      distance: distance,
      predictor: predictor,
      into: &output
    )
  }
  let half = UInt16(1) << UInt16(shape.precision - 1)
  for component in 0..<distance {
    let prediction = isFirst ? half : above[component]
    output[component] = Int16(bitPattern: samples[component] &- prediction)
  }
}

/// One line but its first column, each sample minus its left neighbour.
private func subtractLeft(
  _ samples: Span<UInt16>,
  distance: Int,
  into output: inout MutableSpan<Int16>
) {
  let count = samples.count - distance
  precondition(count >= 0 && samples.count <= output.count, "a line of pixels and its differences")
  // All three are read and written within the line. Pointers, because the sum in the index of a span
  // would be checked, and the loop not be vectorised.
  unsafe samples.withUnsafeBufferPointer { samples in
    unsafe output.withUnsafeMutableBufferPointer { output in
      guard let left = samples.baseAddress, let first = output.baseAddress else { return }
      let current = unsafe left + distance
      let target = unsafe first + distance
      for index in 0..<count {
        unsafe target[index] = Int16(bitPattern: current[index] &- left[index])
      }
    }
  }
}

/// One line but its first column, by any predictor.
private func subtractPrediction(
  _ samples: Span<UInt16>,
  above: Span<UInt16>,
  distance: Int,
  predictor: LosslessJPEGPredictor,
  into output: inout MutableSpan<Int16>
) {
  for index in distance..<samples.count {
    let prediction = predictor.predict(
      left: Int32(samples[index - distance]),
      above: Int32(above[index]),
      aboveLeft: Int32(above[index - distance])
    )
    output[index] = Int16(truncatingIfNeeded: Int32(samples[index]) &- prediction)
  }
}
