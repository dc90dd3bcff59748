/// One of Robertson's isotherms: a point of the Planckian locus and the direction of its isotherm.
struct RobertsonIsotherm {
  /// Reciprocal megakelvin.
  let mired: Double
  /// CIE 1960 coordinates on the locus.
  let u: Double
  let v: Double
  /// Slope of the isotherm there.
  let slope: Double

  init(_ mired: Double, _ u: Double, _ v: Double, _ slope: Double) {
    self.mired = mired
    self.u = u
    self.v = v
    self.slope = slope
  }

  /// The isotherm's direction, of length 1, pointing below the locus (towards magenta).
  var direction: (u: Double, v: Double) {
    let length = (1 + slope * slope).squareRoot()
    return (1 / length, slope / length)
  }

  /// The 31 isotherms from 0 to 600 mired.
  ///
  /// Robertson, "Computation of Correlated Color Temperature and Distribution Temperature",
  /// J. Opt. Soc. Am. 58 (1968) 1528, as tabulated in Wyszecki & Stiles, Color Science (1982) p. 228.
  /// u at 325 mired is 0.24792; the book misprints 0.24702, which makes the locus visibly kink.
  static let table: [RobertsonIsotherm] = [
    .init(0, 0.18006, 0.26352, -0.24341), .init(10, 0.18066, 0.26589, -0.25479),
    .init(20, 0.18133, 0.26846, -0.26876), .init(30, 0.18208, 0.27119, -0.28539),
    .init(40, 0.18293, 0.27407, -0.30470), .init(50, 0.18388, 0.27709, -0.32675),
    .init(60, 0.18494, 0.28021, -0.35156), .init(70, 0.18611, 0.28342, -0.37915),
    .init(80, 0.18740, 0.28668, -0.40955), .init(90, 0.18880, 0.28997, -0.44278),
    .init(100, 0.19032, 0.29326, -0.47888), .init(125, 0.19462, 0.30141, -0.58204),
    .init(150, 0.19962, 0.30921, -0.70471), .init(175, 0.20525, 0.31647, -0.84901),
    .init(200, 0.21142, 0.32312, -1.0182), .init(225, 0.21807, 0.32909, -1.2168),
    .init(250, 0.22511, 0.33439, -1.4512), .init(275, 0.23247, 0.33904, -1.7298),
    .init(300, 0.24010, 0.34308, -2.0637), .init(325, 0.24792, 0.34655, -2.4681),
    .init(350, 0.25591, 0.34951, -2.9641), .init(375, 0.26400, 0.35200, -3.5814),
    .init(400, 0.27218, 0.35407, -4.3633), .init(425, 0.28039, 0.35577, -5.3762),
    .init(450, 0.28863, 0.35714, -6.7262), .init(475, 0.29685, 0.35823, -8.5955),
    .init(500, 0.30505, 0.35907, -11.324), .init(525, 0.31320, 0.35968, -15.628),
    .init(550, 0.32129, 0.36011, -23.325), .init(575, 0.32931, 0.36038, -40.770),
    .init(600, 0.33724, 0.36051, -116.45),
  ]
}
