extension JSONValue {
  /// The value with a patch applied: JSON Merge Patch, RFC 7396.
  ///
  /// Members of an object are merged, one by one and below them; null removes a member; anything else,
  /// an array too, takes the place of what was there.
  package func merging(_ patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var members: [(key: String, value: JSONValue)] = []
    if case .object(let own) = self { members = own }
    for (key, change) in changes {
      let index = members.firstIndex { $0.key.unicodeScalars.elementsEqual(key.unicodeScalars) }
      if change.isNull {
        if let index { members.remove(at: index) }
      } else if let index {
        members[index].value = members[index].value.merging(change)
      } else {
        // Nulls below a member that was not there vanish, too.
        members.append((key: key, value: JSONValue.object([]).merging(change)))
      }
    }
    return .object(members)
  }
}
