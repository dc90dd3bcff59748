internal import ServiceRuntime

/// Groups of roles that a migration could not make, in words.
enum MissingRoles {
  /// What is missing, what follows from it, and what to do.
  static func text(_ names: [String]) -> String {
    let list = names.joined(separator: ", ")
    let statements = names.map { "CREATE ROLE \($0) NOLOGIN;" }.joined(separator: " ")
    return """
      the roles \(list) are missing and this user may not make them: until they are there, no login \
      can be given their rights. Have somebody with CREATEROLE run '\(statements)', then run \
      'rawmill database grant' as this user
      """
  }

  /// Warns of them.
  static func warn(_ names: [String], _ log: Log) {
    log.write(.warning, "rolesMissing", text(names))
  }
}
