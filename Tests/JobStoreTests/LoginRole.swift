import DatabaseTestSupport
import JobStore
import PostgresClient
import Synchronization

/// A role that can log in to the test cluster, with the rights of one of the groups.
struct LoginRole {
  let name: String
  let address: DatabaseAddress
  private let schema: String
  private let connection: PostgresConnection

  /// Makes the role; it lives as long as the cluster.
  init(_ database: TestDatabase, name: String, group: String) throws {
    self.name = "\(database.schema)_\(name)"
    schema = database.schema
    try database.connection().execute(
      "CREATE ROLE \(self.name) LOGIN IN ROLE \(group)",
      named: "role"
    )
    address = try TestCluster.address(user: self.name)
    connection = try PostgresConnection.open(
      address,
      SessionSettings(applicationName: "test", searchPath: schema)
    )
  }

  /// A session of the queue's protocol.
  func store(_ role: JobStore.Role = .queue) throws -> JobStore {
    try JobStore.open(address, role: role, applicationName: "test", schema: schema)
  }

  /// Whether a statement is refused for lack of rights.
  func refused(_ sql: String) throws -> Bool {
    do {
      try connection.execute(sql, named: "role")
      return false
    } catch {
      guard error.state == .insufficientPrivilege else { throw error }
      return true
    }
  }

  func number(_ sql: String) throws -> Int {
    try connection.queryOnce(sql, named: "role")[0].int(0)
  }
}
