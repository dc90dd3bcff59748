internal import FileSystem
package import JobStore
package import PostgresClient
internal import Synchronization
internal import TestSupport

/// A schema of a test's own on the test cluster, with every migration applied.
package struct TestDatabase: Sendable {
  package let address: DatabaseAddress
  package let schema: String

  private static let counter = Atomic<Int>(0)

  /// Makes the schema.
  package init() throws {
    address = try TestCluster.address()
    schema = "test_\(TestDatabase.counter.add(1, ordering: .relaxed).newValue)"
    let migrations = try Migration.load(from: PackageFolder.path("migrations"))
    try Migrator(migrations: migrations, schema: schema).migrate(address)
  }

  /// A session of the queue's protocol.
  package func store(_ role: JobStore.Role = .queue) throws -> JobStore {
    try JobStore.open(address, role: role, applicationName: "test", schema: schema)
  }

  /// A plain session that sees the schema.
  package func connection() throws -> PostgresConnection {
    try PostgresConnection.open(
      address,
      SessionSettings(applicationName: "test", searchPath: schema)
    )
  }
}
