import DatabaseTestSupport
import PostgresClient
import Testing

/// Several addresses of one database, as a cluster with a standby has them.
@Suite(.enabled(if: TestCluster.isAvailable, TestCluster.missingComment))
struct FailoverTests {
  /// The test server behind an address that nobody answers at; `more` are further parameters.
  private func address(_ more: String = "") throws -> DatabaseAddress {
    let info = try #require(try TestCluster.address().connectionInfo)
    let start = try #require(info.firstRange(of: "host='")).upperBound
    let folder = info[start...].prefix { $0 != "'" }
    let port = try #require(info.firstRange(of: "port='")).upperBound
    let number = info[port...].prefix { $0 != "'" }
    return try DatabaseAddress(
      info.replacing("host='\(folder)'", with: "host='/nonexistent,\(folder)'")
        .replacing("port='\(number)'", with: "port='\(number),\(number)'")
        + " target_session_attrs=read-write \(more)"
    )
  }

  @Test
  func theServerThatAnswersIsTaken() throws {
    let connection = try PostgresConnection.open(
      address(),
      SessionSettings(applicationName: "test")
    )
    let before = connection.backendProcessID
    let other = try PostgresConnection.open(
      TestCluster.address(),
      SessionSettings(applicationName: "test")
    )
    try other.execute("SELECT pg_terminate_backend(\(before))", named: "terminate")
    let failure = #expect(throws: PostgresError.self) {
      try connection.execute("SELECT 1", named: "one")
    }
    #expect(failure?.isConnectionFailure == true)
    try connection.reconnect()
    #expect(connection.backendProcessID != before)
    try connection.execute("SELECT 1", named: "one")
  }

  /// A server that takes no writes, as a standby, is not what a queue can use.
  @Test
  func aServerThatTakesNoWritesIsPassedOver() throws {
    let readOnly = try address("options='-c default_transaction_read_only=on'")
    let failure = #expect(throws: PostgresError.self) {
      try PostgresConnection.open(readOnly, SessionSettings(applicationName: "test"))
    }
    guard case .connectionFailed(let reason) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(reason.contains("read-only"))
  }
}
