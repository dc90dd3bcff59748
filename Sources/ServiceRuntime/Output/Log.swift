/// Plain lines for people, on standard error unless said otherwise.
package struct Log: Sendable {
  private let output: TextOutput
  private let name: String

  /// A log whose lines start with a name, such as `rawmill`.
  package init(name: String = "rawmill", output: TextOutput = .standardError) {
    self.name = name
    self.output = output
  }

  /// Something that went as it should.
  package func info(_ text: String) {
    output.writeLine("\(name): \(text)")
  }

  /// Something that went wrong but does not end the work.
  package func warning(_ text: String) {
    output.writeLine("\(name): warning: \(text)")
  }

  /// Something that failed.
  package func error(_ text: String) {
    output.writeLine("\(name): \(text)")
  }
}
