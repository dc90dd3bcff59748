internal import Recipe

extension ResolvedSetting.Origin {
  /// The part of a recipe that set a value; nil is a key of `develop`.
  init(_ layer: AdjustmentOrigin?) {
    switch layer {
    case .recipe, nil: self = .recipe
    case .preset(let preset): self = .preset(preset.rawValue)
    case .rule(let number): self = .rule(number)
    }
  }
}
