internal import JSON

extension Recipe {
  /// The numbers of the rules that hold for a picture, 1 for the first.
  package func rulesHolding(for subject: RuleSubject) -> [Int] {
    rules.indices.filter { rules[$0].when.holds(for: subject) }.map { $0 + 1 }
  }

  /// The adjustments for one picture: the preset, what `develop` sets over it, and over that each rule
  /// that holds, in their order.
  ///
  /// What a later layer sets also takes away what it excludes (a rule's `neutralLocation` takes away
  /// the recipe's `neutralTemperature`).
  package func adjustments(for subject: RuleSubject) -> DevelopAdjustments {
    var result = DevelopAdjustments()
    result.layOver(develop, origin: .recipe)
    for number in rulesHolding(for: subject) {
      result.layOver(rules[number - 1].develop, origin: .rule(number))
    }
    return result
  }
}

extension DevelopAdjustments {
  /// Takes over everything that `layer` sets: first its preset's values, then its own.
  fileprivate mutating func layOver(_ layer: DevelopAdjustments, origin: AdjustmentOrigin) {
    if let preset = layer.preset {
      take(preset.adjustments, origin: .preset(preset))
    }
    take(layer, origin: origin)
  }

  private mutating func take(_ layer: DevelopAdjustments, origin: AdjustmentOrigin) {
    for (path, key) in RecipeKeys.developValues where path != RecipeKeys.presetPath {
      guard let value = key.read(layer) else { continue }
      for excluded in RecipeKeys.excluded(by: key) {
        RecipeKeys.developKey(excluded)?.assign(&self, .null)
        origins[excluded] = nil
      }
      key.assign(&self, value)
      origins[path] = origin
    }
  }
}
