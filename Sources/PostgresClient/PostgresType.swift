/// The built-in types that rawmill sends and reads, by their fixed object identifiers
/// (`pg_type.dat` of PostgreSQL).
package enum PostgresType: UInt32, Sendable {
  case boolean = 16
  case bytea = 17
  case name = 19
  case bigint = 20
  case smallint = 21
  case integer = 23
  case text = 25
  case json = 114
  case double = 701
  case varchar = 1043
  case timestamptz = 1184
  case uuid = 2950
  case jsonb = 3802
  case booleanArray = 1000
  case byteaArray = 1001
  case smallintArray = 1005
  case integerArray = 1007
  case textArray = 1009
  case bigintArray = 1016
  case doubleArray = 1022
  case uuidArray = 2951
  case jsonbArray = 3807
}
