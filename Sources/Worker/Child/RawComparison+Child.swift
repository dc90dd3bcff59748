internal import JSON
internal import Rendering

extension RawComparison {
  /// The comparison in a child's answer.
  ///
  /// - Throws: `reportInvalid` for anything else.
  init(childAnswer answer: ChildProcess.Answer) throws(WorkerError) {
    do throws(JSONError) {
      try self.init(json: answer.value)
    } catch {
      throw .reportInvalid(detail: error.message)
    }
  }
}
