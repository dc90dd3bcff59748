/// One step of a YAML text, as libyaml reports it.
struct YAMLEvent: Equatable {
  enum Kind: Equatable {
    case streamStart
    /// With the version of a `%YAML` directive, and whether `%TAG` directives stand before it.
    case documentStart(version: String?, hasTagDirectives: Bool)
    case documentEnd
    case streamEnd
    case alias
    /// Plain scalars are those without quotes, not in a block: only they can be more than text.
    case scalar(String, isPlain: Bool)
    case sequenceStart
    case sequenceEnd
    case mappingStart
    case mappingEnd
  }

  var kind: Kind
  var position: RecipePosition
  var hasAnchor = false
  var hasTag = false
}
