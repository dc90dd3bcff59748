internal import Diagnostics
internal import JSON

/// Reads nodes by a table of keys and reports everything that is wrong.
enum RecipeDecoder {
  /// Reads one mapping of scalar settings.
  static func decode<Root>(
    _ node: RecipeNode,
    _ keys: [RecipeKey<Root>],
    path: String,
    into root: inout Root,
    _ problems: inout RecipeProblems
  ) {
    guard let members = members(of: node, path, &problems) else { return }
    for member in members {
      let memberPath = path + "." + member.key
      guard let key = keys.first(where: { $0.entry.name == member.key }) else {
        addUnknown(member, keys.map(\.entry.name), memberPath, &problems)
        continue
      }
      // `default` says the same as leaving the key out, so it excludes nothing either.
      if member.value.isDefault { continue }
      addExclusions(key.entry, members, memberPath, member.position, &problems)
      if !key.members.isEmpty {
        decode(member.value, key.members, path: memberPath, into: &root, &problems)
        continue
      }
      decode(member.value, key, path: memberPath, into: &root, &problems)
    }
  }

  private static func decode<Root>(
    _ node: RecipeNode,
    _ key: RecipeKey<Root>,
    path: String,
    into root: inout Root,
    _ problems: inout RecipeProblems
  ) {
    switch (key.entry.shape.value(of: node), key.entry.availability) {
    case (.failure(let fault), _): problems.add(path, node.position, fault.kind)
    case (.success(let value), .supported): key.assign(&root, value)
    case (.success(let value), .later(let off?)) where value == off: key.assign(&root, value)
    case (.success, .later(let off)):
      problems.add(
        path,
        node.position,
        .notSupportedYet(instead: off.map { "only \($0.text()) is, which asks for nothing" })
      )
    }
  }

  private static func addExclusions(
    _ entry: RecipeKeyEntry,
    _ members: [RecipeNode.Member],
    _ path: String,
    _ position: RecipePosition,
    _ problems: inout RecipeProblems
  ) {
    for other in entry.excludes
    where members.contains(where: { $0.key == other && !$0.value.isDefault }) {
      problems.add(path, position, .excludes(other: other))
    }
  }

  /// The members of a mapping, or a problem.
  static func members(
    of node: RecipeNode,
    _ path: String,
    _ problems: inout RecipeProblems
  ) -> [RecipeNode.Member]? {
    guard case .mapping(let members) = node.content else {
      problems.add(
        path,
        node.position,
        .unexpectedKind(expected: "a mapping of keys", found: node.found)
      )
      return nil
    }
    return members
  }

  static func addUnknown(
    _ member: RecipeNode.Member,
    _ valid: [String],
    _ path: String,
    _ problems: inout RecipeProblems
  ) {
    problems.add(
      path,
      member.position,
      .unknownKey(nearest: Spelling.nearest(to: member.key, among: valid), valid: valid)
    )
  }
}
