/// The codes of a reduced bit depth: a LinearizationTable (50712) and its inverse.
struct CompandingTable {
  /// The linear code of each stored one, ascending.
  let decoded: [UInt16]
  /// The stored code whose linear code is nearest, for each linear code; of two as near the lower one.
  let encoded: [UInt16]

  /// - Precondition: `decoded` ascends strictly and is not empty.
  init(decoded: [UInt16]) {
    self.decoded = decoded
    var encoded = [UInt16](repeating: 0, count: 1 << 16)
    var code = 0
    for linear in 0..<encoded.count {
      while code + 1 < decoded.count,
        Int(decoded[code + 1]) - linear < linear - Int(decoded[code])
      {
        code += 1
      }
      encoded[linear] = UInt16(code)
    }
    self.encoded = encoded
  }

  /// Codes in steps of one size in units of the noise, at most 2^`bits`, from a little below black to
  /// `top`; where such a step is smaller than a linear code, it is one.
  ///
  /// The few codes below black, three standard deviations, keep the mean of noise around black at black.
  init(squareRootFor noise: NoiseModel, levels: CodeRange, bits: Int) {
    let low = levels.lowest(of: noise)
    let first = noise.stabilized(levels.signal(Double(low)))
    let last = noise.stabilized(levels.signal(Double(levels.top)))
    self.init(levels, low: low, bits: bits) { part in
      levels.code(noise.signal(first + (last - first) * part))
    }
  }

  /// At most 2^`bits` codes in steps of one size, from a little below black to `top`.
  init(linearFor noise: NoiseModel, levels: CodeRange, bits: Int) {
    let low = levels.lowest(of: noise)
    self.init(levels, low: low, bits: bits) { part in
      Double(low) + Double(levels.top - low) * part
    }
  }

  /// All 65,536 codes in steps of one size in units of the noise, for lossy codings, which spread their
  /// errors over the codes; several may stand for one linear code.
  init(fullScaleFor noise: NoiseModel, levels: CodeRange) {
    let low = levels.lowest(of: noise)
    let first = noise.stabilized(levels.signal(Double(low)))
    let span = noise.stabilized(levels.signal(Double(levels.top))) - first
    decoded = (0...65_535).map { code in
      let value = levels.code(noise.signal(first + span * Double(code) / 65_535)).rounded()
      return UInt16(min(max(value, Double(low)), Double(levels.top)))
    }
    encoded = (0...65_535).map { linear in
      let value = noise.stabilized(levels.signal(Double(linear))) - first
      let part = span > 0 ? value / span : 0
      return UInt16((min(max(part, 0), 1) * 65_535).rounded())
    }
  }

  /// The largest step up to white, in the noise at its lower end; steps of one linear code lose nothing.
  func worstStepInSigma(_ levels: CodeRange, _ noise: NoiseModel) -> Double {
    var worst = 0.0
    for (lower, upper) in zip(decoded, decoded.dropFirst()) {
      guard Int(upper) - Int(lower) > 1, Double(lower) < levels.white else { continue }
      worst = max(worst, Double(Int(upper) - Int(lower)) / levels.sigma(Double(lower), of: noise))
    }
    return worst
  }

  /// The codes at evenly spaced parts from 0 to 1 of an ascending curve, pushed apart where it is flat.
  ///
  /// Samples below `low` are no light and no noise: dead photosites, masked borders. They get a sixteenth
  /// of the codes, evenly spaced, so that each is still stored within half a step.
  private init(_ levels: CodeRange, low: Int, bits: Int, _ curve: (Double) -> Double) {
    let top = levels.top
    let below = min(max(low - levels.bottom, 0), 1 << (bits - 4))
    var decoded = (0..<below).map { index in
      UInt16(levels.bottom + (low - levels.bottom) * index / below)
    }
    let count = min((1 << bits) - below, top - low + 1)
    decoded.reserveCapacity(below + count)
    var former = low - 1
    for index in 0..<count {
      let part = count == 1 ? 0 : Double(index) / Double(count - 1)
      let rounded = Int(curve(part).rounded())
      // Room is left for the codes that follow.
      let code = min(max(rounded, former + 1), top - (count - 1 - index))
      decoded.append(UInt16(code))
      former = code
    }
    self.init(decoded: decoded)
  }
}
