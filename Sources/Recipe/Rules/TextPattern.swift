/// A name with wildcards: `*` for any characters, `?` for one; upper and lower case are the same.
package struct TextPattern: Equatable, Sendable {
  /// As written.
  package let text: String
  private let characters: [Character]

  package init(_ text: String) {
    self.text = text
    characters = Array(text.lowercased())
  }

  /// Whether the whole name matches.
  ///
  /// Linear in practice and bounded by the product of both lengths: on a mismatch only the last `*`
  /// takes one character more.
  package func matches(_ name: String) -> Bool {
    let name = Array(name.lowercased())
    var place = 0
    var index = 0
    var star: (pattern: Int, name: Int)?
    while index < name.count {
      if place < characters.count, characters[place] == "*" {
        star = (place, index)
        place += 1
      } else if place < characters.count,
        characters[place] == "?" || characters[place] == name[index]
      {
        place += 1
        index += 1
      } else if let last = star {
        star = (last.pattern, last.name + 1)
        place = last.pattern + 1
        index = last.name + 1
      } else {
        return false
      }
    }
    return characters[place...].allSatisfy { $0 == "*" }
  }
}
