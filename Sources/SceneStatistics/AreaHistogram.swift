package import JSON
package import Raster

/// Histograms of a linear scene's red, green, blue and luminance: those of Core Image's areaHistogram filter.
///
/// Bins have equal width over 0 to 1; what lies below counts in the first, what lies above in the last. The
/// filter's value of a bin is its number times `valuePerPixel`, so that the values of a channel sum to `scale`.
package struct AreaHistogram: Equatable, Sendable {
  /// The filter's numbers of bins.
  package static let countRange = 1...2_048

  /// One channel.
  package struct Channel: Equatable, Sendable {
    /// `red`, `green`, `blue` or `luminance`.
    package let name: String
    /// Pixels by bin.
    package internal(set) var bins: [Int]
    /// Pixels below 0.
    package internal(set) var belowCount = 0
    /// Pixels above 1.
    package internal(set) var aboveCount = 0
    /// Of all values, in units of the scene; 0 of no pixel.
    package internal(set) var minimum: Float = 0
    package internal(set) var maximum: Float = 0
    /// The sum of each row's sum, in double precision from the top.
    var sum: Double = 0
  }

  /// Red, green, blue, luminance.
  package private(set) var channels: [Channel]
  /// What the values of a channel sum to.
  package let scale: Double
  /// Counted pixels.
  package private(set) var pixelCount = 0
  /// The luminance of red, green and blue of 1.
  private let weights: (red: Float, green: Float, blue: Float)

  package static func == (left: AreaHistogram, right: AreaHistogram) -> Bool {
    left.channels == right.channels && left.scale == right.scale
      && left.pixelCount == right.pixelCount && left.weights == right.weights
  }

  /// Histograms of no pixel yet.
  ///
  /// - Parameters:
  ///   - count: Bins, in `countRange`.
  ///   - scale: What the values of a channel sum to.
  ///   - luminance: The Y of red, green and blue of 1; they sum to 1.
  package init(
    count: Int,
    scale: Double,
    luminance: (red: Double, green: Double, blue: Double)
  ) {
    precondition(Self.countRange.contains(count), "a histogram has 1 to 2,048 bins")
    self.scale = scale
    weights = (Float(luminance.red), Float(luminance.green), Float(luminance.blue))
    channels = ["red", "green", "blue", "luminance"]
      .map { Channel(name: $0, bins: Array(repeating: 0, count: count)) }
  }

  /// The filter's value of one pixel in a bin.
  package var valuePerPixel: Double { pixelCount > 0 ? scale / Double(pixelCount) : 0 }

  /// The mean of a channel; nil of no pixel.
  package func mean(_ channel: Channel) -> Double? {
    pixelCount > 0 ? channel.sum / Double(pixelCount) : nil
  }

  /// Counts the first `rowCount` rows of a plane of interleaved red, green and blue.
  package mutating func add(_ plane: borrowing Plane<Float>, rowCount: Int) {
    let weights = weights
    for y in 0..<rowCount {
      plane.withRow(y) { row in
        let count = row.count / 3
        let isFirst = pixelCount == 0
        channels[0].add(count, isFirst: isFirst) { row[3 * $0] }
        channels[1].add(count, isFirst: isFirst) { row[3 * $0 + 1] }
        channels[2].add(count, isFirst: isFirst) { row[3 * $0 + 2] }
        channels[3].add(count, isFirst: isFirst) { x in
          weights.red * row[3 * x] + weights.green * row[3 * x + 1] + weights.blue * row[3 * x + 2]
        }
        pixelCount += count
      }
    }
  }
}

extension AreaHistogram.Channel {
  /// Counts a row of `count` values, none of which is NaN.
  @inline(__always)
  fileprivate mutating func add(_ count: Int, isFirst: Bool, _ value: (Int) -> Float) {
    guard count > 0 else { return }
    let factor = Float(bins.count)
    let last = bins.count - 1
    var (low, high) = isFirst ? (value(0), value(0)) : (minimum, maximum)
    var (below, above) = (0, 0)
    var rowSum = 0.0
    for x in 0..<count {
      let value = value(x)
      low = min(low, value)
      high = max(high, value)
      if value < 0 { below += 1 }
      if value > 1 { above += 1 }
      rowSum += Double(value)
      // Between 0 and the number of bins, so that the conversion can't trap.
      bins[min(Int(max(0, min(value, 1)) * factor), last)] += 1
    }
    (minimum, maximum) = (low, high)
    belowCount += below
    aboveCount += above
    sum += rowSum
  }
}

extension AreaHistogram {
  /// The channels' members, with bins as plain arrays.
  package var json: [(key: String, value: JSONValue)] {
    [
      ("pixels", .init(pixelCount)), ("scale", .init(scale)),
      ("valuePerPixel", .init(valuePerPixel)),
      (
        "channels",
        .array(
          channels.map { channel in
            [
              "channel": .string(channel.name), "minimum": .init(Double(channel.minimum)),
              "maximum": .init(Double(channel.maximum)), "mean": .init(mean(channel)),
              "belowCount": .init(channel.belowCount), "aboveCount": .init(channel.aboveCount),
              "bins": .array(channel.bins.map { .init($0) }),
            ]
          }
        )
      ),
    ]
  }
}
