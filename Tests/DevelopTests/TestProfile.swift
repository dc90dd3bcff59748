import RawModel
import TestSupport

/// A camera profile with everything in it, for tests of what holds for any stage.
enum TestProfile {
  static func everything(seed: UInt64) -> CameraProfile {
    var generator = SeededGenerator(seed: seed)
    func table(_ hue: Int, _ saturation: Int, _ value: Int) -> HueSatMap {
      HueSatMap(
        hueDivisions: hue,
        saturationDivisions: saturation,
        valueDivisions: value,
        entries: (0..<(hue * saturation * value)).map { index in
          HueSatMap.Entry(
            hueShift: Float.random(in: -20...20, using: &generator),
            saturationScale: Float.random(in: 0.8...1.2, using: &generator),
            valueScale: index % saturation == 0
              ? 1 : Float.random(in: 0.9...1.1, using: &generator)
          )
        },
        encoding: .sRGB
      )
    }
    return CameraProfile(
      hueSatMaps: [table(6, 4, 3)],
      lookTable: table(12, 5, 1),
      toneCurve: ProfileToneCurve(
        points: [(0, 0), (0.1, 0.08), (0.4, 0.6), (1, 1)].map {
          .init(x: Float($0.0), y: Float($0.1))
        }
      ),
      gainTableMap: ProfileGainTableMap(
        version: 2,
        pointsV: 3,
        pointsH: 4,
        spacingV: 0.5,
        spacingH: 1 / 3,
        originV: 0,
        originH: 0,
        pointsN: 5,
        inputWeights: [0.15, 0.3, 0.05, 0.1, 0.4],
        gamma: 1.5,
        gains: (0..<60).map { _ in Float.random(in: 0.7...1.6, using: &generator) }
      ),
      rgbTables: RGBTables(
        composition: .sequential,
        tables: [
          RGBTable(
            semanticName: "",
            divisions: 3,
            gamma: .sRGB,
            primaries: .rec2020,
            gamutExtension: .extend,
            samples: (0..<81).map { index in
              // The identity with a little noise: red outermost.
              let place = index / 3
              let parts = [place / 9, place / 3 % 3, place % 3]
              return Float(parts[index % 3]) / 2 * Float.random(in: 0.95...1, using: &generator)
            }
          )
        ]
      )
    )
  }
}
