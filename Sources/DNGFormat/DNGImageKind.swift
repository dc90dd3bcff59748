/// What an image of a DNG is for: the values of NewSubFileType (254).
package enum DNGImageKind: Hashable, Sendable {
  /// The full-resolution image.
  case main
  case preview
  /// A preview in another rendering than the first one's.
  case alternatePreview
  case transparencyMask
  case previewTransparencyMask
  case depthMap
  case previewDepthMap
  /// The main image after further processing (Enhanced Image).
  case enhanced
  case semanticMask
  case gainMap
  case other(Int)

  package init(newSubFileType: Int) {
    switch newSubFileType {
    case 0: self = .main
    case 1: self = .preview
    case 65_537: self = .alternatePreview
    case 4: self = .transparencyMask
    case 5: self = .previewTransparencyMask
    case 8: self = .depthMap
    case 9: self = .previewDepthMap
    case 16: self = .enhanced
    case 32: self = .gainMap
    case 65_540: self = .semanticMask
    default: self = .other(newSubFileType)
    }
  }
}

extension DNGImageKind {
  /// Whether it shows the main image, or a mask of what shows it.
  var isPreview: Bool {
    switch self {
    case .preview, .alternatePreview, .previewTransparencyMask, .previewDepthMap: true
    case .main, .transparencyMask, .depthMap, .enhanced, .semanticMask, .gainMap, .other: false
    }
  }
}

extension DNGImageKind: CustomStringConvertible {
  package var description: String {
    switch self {
    case .main: "main"
    case .preview: "preview"
    case .alternatePreview: "alternate preview"
    case .transparencyMask: "transparency mask"
    case .previewTransparencyMask: "transparency mask of the preview"
    case .depthMap: "depth map"
    case .previewDepthMap: "depth map of the preview"
    case .enhanced: "enhanced"
    case .semanticMask: "semantic mask"
    case .gainMap: "gain map"
    case .other(let value): "NewSubFileType \(value)"
    }
  }
}
