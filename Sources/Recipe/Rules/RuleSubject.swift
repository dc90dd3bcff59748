/// What rules are asked about: the capture data of one picture.
package struct RuleSubject: Equatable, Sendable {
  package var isoSpeed: Int?
  /// Every name that the camera goes by.
  package var cameraNames: [String]
  package var lensName: String?

  package init(isoSpeed: Int?, make: String?, model: String?, uniqueModel: String?, lens: String?) {
    self.isoSpeed = isoSpeed
    let parts = [make, model].compactMap(\.self)
    cameraNames = [parts.isEmpty ? nil : parts.joined(separator: " "), model, uniqueModel]
      .compactMap(\.self)
    lensName = lens
  }
}
