/// Why the samples can't be said to have the digest that the file states.
enum DigestFinding: Equatable {
  /// They have another; the tag's name.
  case mismatch(tag: String, stated: String, computed: String)
  /// It can't be compared with the samples; the tag's name and why.
  case unchecked(tag: String, reason: String)
}

extension DigestFinding: CustomStringConvertible {
  var description: String {
    switch self {
    case .mismatch(let tag, let stated, let computed):
      "the samples have the digest \(computed), the file states \(stated) (\(tag))"
    case .unchecked(let tag, let reason):
      "\(tag) was not checked: \(reason)"
    }
  }
}
