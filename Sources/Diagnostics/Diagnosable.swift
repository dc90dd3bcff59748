/// An error that says what was wrong with which input, and what a queue should do about it.
///
/// Every module has one closed error enum that conforms; a table test fixes the code and the
/// disposition of each case, because codes are stored in the database and grouped by operators.
package protocol Diagnosable: Error, Sendable {
  /// A stable slug, as stored in the database (`byteCountBeyondFile`).
  var code: ErrorCode { get }
  /// One sentence for people: what was wrong, with which tag, tile or limit, and what would help.
  var message: String { get }
  /// What the worker does with the job.
  var disposition: Disposition { get }
}
