/// A five-character error code of PostgreSQL (appendix A of its manual).
package struct SQLState: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package init(stringLiteral value: String) {
    self.rawValue = value
  }
}

extension SQLState {
  /// `serialization_failure`: the transaction may be run again as it was.
  package static let serializationFailure: SQLState = "40001"
  /// `deadlock_detected`: the transaction may be run again as it was.
  package static let deadlockDetected: SQLState = "40P01"
  /// `lock_not_available`: `lock_timeout` passed.
  package static let lockNotAvailable: SQLState = "55P03"
  /// `query_canceled`: `statement_timeout` passed, or somebody cancelled.
  package static let queryCanceled: SQLState = "57014"
  /// `no_data_found`: a function of the schema found no row of the number that it was given.
  package static let noDataFound: SQLState = "P0002"
  /// `object_not_in_prerequisite_state`: what was asked for does not go with the object's state.
  package static let objectNotInPrerequisiteState: SQLState = "55000"
  /// `unique_violation`.
  package static let uniqueViolation: SQLState = "23505"
  /// `check_violation`; also a row for which a partitioned table has no partition.
  package static let checkViolation: SQLState = "23514"
  /// `insufficient_privilege`.
  package static let insufficientPrivilege: SQLState = "42501"
  /// `read_only_sql_transaction`: the server has become a standby.
  package static let readOnlyTransaction: SQLState = "25006"
  /// `undefined_table`.
  package static let undefinedTable: SQLState = "42P01"
  /// `undefined_function`.
  package static let undefinedFunction: SQLState = "42883"
  /// `undefined_column`.
  package static let undefinedColumn: SQLState = "42703"
  /// `invalid_schema_name`.
  package static let invalidSchemaName: SQLState = "3F000"
  /// `duplicate_database`.
  package static let duplicateDatabase: SQLState = "42P04"

  /// The two characters that name the class of the code.
  package var errorClass: String { String(rawValue.prefix(2)) }

  /// Whether a transaction that failed so may simply be run again.
  package var isRetryable: Bool {
    switch self {
    case .serializationFailure, .deadlockDetected, .lockNotAvailable: true
    default: false
    }
  }
}
