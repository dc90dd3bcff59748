internal import ColorScience
internal import DNGFormat
internal import Develop
internal import RawModel
internal import Recipe

extension Renderer {
  /// Puts the recipe's camera profile, where it has one, in the place of the raw's own.
  ///
  /// - Throws: `profile` for a file that is none, `profileForOtherCamera` for one of another camera.
  static func useProfile(
    of adjustments: DevelopAdjustments,
    in description: inout RawDescription
  ) throws(RenderError) {
    guard let file = adjustments.profile else { return }
    let profile: ExternalProfile
    do throws(DNGReadError) {
      profile = try ExternalProfile(file.contents ?? [])
    } catch {
      throw .profile(error, name: file.name)
    }
    let camera = description.capture.uniqueCameraModel
    if let wanted = profile.cameraModel, let camera, wanted != camera {
      throw .profileForOtherCamera(name: file.name, profileCamera: wanted, camera: camera)
    }
    description.use(profile)
  }

  /// The white of the place that the recipe calls neutral; nil where it names none.
  static func pickedWhite(
    of adjustments: DevelopAdjustments,
    in frame: borrowing RawFrame
  ) throws(RenderError) -> Chromaticity? {
    guard let point = adjustments.neutralLocation else { return nil }
    do throws(DevelopError) {
      return try NeutralSpot.white(at: point, of: frame, as: adjustments)
    } catch {
      throw .develop(error)
    }
  }
}
