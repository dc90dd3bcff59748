internal import RawModel

/// From stored samples to linear codes, and how far the codes are apart.
struct SampleDecoding {
  /// Linear code of each stored code; nil where they are the same.
  private let table: [Double]?
  /// Half the way from each code's value to the next higher and lower one; nil where codes have no table.
  private let halfStepsUp: [Double]
  private let halfStepsDown: [Double]
  private let isFloat: Bool
  private let floatFractionBits: Int

  init(_ description: RawDescription) {
    isFloat = description.sampleFormat == .floatingPoint
    floatFractionBits =
      switch description.bitsPerSample {
      case ...16: 10
      case 17...24: 16
      default: 23
      }
    guard let stored = description.linearizationTable, !stored.isEmpty, !isFloat else {
      table = nil
      halfStepsUp = []
      halfStepsDown = []
      return
    }
    let values = stored.map { Double($0) }
    table = values
    (halfStepsUp, halfStepsDown) = Self.halfSteps(values)
  }

  /// Plateaus have no steps within; at the ends the last step counts on.
  private static func halfSteps(_ values: [Double]) -> (up: [Double], down: [Double]) {
    var up = [Double](repeating: 0, count: values.count)
    var down = up
    for index in values.indices.dropFirst() {
      let step = (values[index] - values[index - 1]) / 2
      down[index] = step > 0 ? step : down[index - 1]
    }
    for index in values.indices.dropLast().reversed() {
      let step = (values[index + 1] - values[index]) / 2
      up[index] = step > 0 ? step : up[index + 1]
    }
    for index in values.indices {
      if down[index] == 0 { down[index] = up[index] }
      if up[index] == 0 { up[index] = down[index] }
    }
    return (up, down)
  }

  /// The linear codes of stored samples; codes past the table's end take its last entry (DNG 1.7.1,
  /// "LinearizationTable").
  func linear(_ stored: [Double]) -> [Double] {
    guard let table else { return stored }
    let last = table.count - 1
    return stored.map { table[min(Int($0), last)] }
  }

  /// Half the step from a stored sample to the next code above or below it, in linear codes; 0 where
  /// there is no other code.
  func halfStep(_ stored: Double, isUp: Bool) -> Double {
    if let table {
      let index = min(Int(stored), table.count - 1)
      return isUp ? halfStepsUp[index] : halfStepsDown[index]
    }
    guard isFloat else { return 0.5 }
    let exponent = stored == 0 ? -14 : max(Int(stored.exponent), -14)
    return Double(sign: .plus, exponent: exponent - floatFractionBits - 1, significand: 1)
  }
}
