/// What a camera profile says beyond its colour matrices: tables, curve and what may be done with it.
///
/// DNG 1.7.1 chapter 6. The matrices and illuminants of the profile in use are those of `CameraColor`.
package struct CameraProfile: Equatable, Sendable {
  /// ProfileEmbedPolicy (50941).
  package enum EmbedPolicy: Int, Sendable {
    case allowCopying = 0
    case embedIfUsed = 1
    case embedNever = 2
    case noRestrictions = 3
  }

  /// ProfileDynamicRange (52551).
  package enum DynamicRange: Int, Sendable {
    case standard = 0
    case high = 1
  }

  /// ProfileName (50936).
  package var name: String?
  /// ProfileCopyright (50942).
  package var copyright: String?
  /// ProfileGroupName (52552).
  package var groupName: String?
  package var embedPolicy: EmbedPolicy
  /// ProfileCalibrationSignature (50932); empty where absent.
  package var calibrationSignature: String
  /// EV on top of the raw's BaselineExposure (BaselineExposureOffset, 51109).
  package var baselineExposureOffset: Double
  /// DefaultBlackRender (51110) 1: the default rendering subtracts no black.
  package var isDefaultBlackNone: Bool
  /// The maps for `CameraColor.calibrations`, in their order (50938, 50939, 52537); empty without any.
  package var hueSatMaps: [HueSatMap]
  /// 50981, 50982.
  package var lookTable: HueSatMap?
  /// 50940.
  package var toneCurve: ProfileToneCurve?
  /// The profile's own ProfileGainTableMap2 (52544), which comes before the file's.
  package var gainTableMap: ProfileGainTableMap?
  /// 52543.
  package var rgbTables: RGBTables?
  /// 52551.
  package var dynamicRange: DynamicRange

  package init(
    name: String? = nil,
    copyright: String? = nil,
    groupName: String? = nil,
    embedPolicy: EmbedPolicy = .allowCopying,
    calibrationSignature: String = "",
    baselineExposureOffset: Double = 0,
    isDefaultBlackNone: Bool = false,
    hueSatMaps: [HueSatMap] = [],
    lookTable: HueSatMap? = nil,
    toneCurve: ProfileToneCurve? = nil,
    gainTableMap: ProfileGainTableMap? = nil,
    rgbTables: RGBTables? = nil,
    dynamicRange: DynamicRange = .standard
  ) {
    self.name = name
    self.copyright = copyright
    self.groupName = groupName
    self.embedPolicy = embedPolicy
    self.calibrationSignature = calibrationSignature
    self.baselineExposureOffset = baselineExposureOffset
    self.isDefaultBlackNone = isDefaultBlackNone
    self.hueSatMaps = hueSatMaps
    self.lookTable = lookTable
    self.toneCurve = toneCurve
    self.gainTableMap = gainTableMap
    self.rgbTables = rgbTables
    self.dynamicRange = dynamicRange
  }
}
