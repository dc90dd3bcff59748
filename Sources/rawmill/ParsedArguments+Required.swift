internal import ServiceRuntime

extension ParsedArguments {
  /// The value of an option that its syntax requires.
  func requireValue<Value>(_ option: Option<Value>) throws(ProgramError) -> Value {
    do throws(UsageError) {
      return try require(option)
    } catch {
      throw .usage(error)
    }
  }

  /// The value of an argument.
  func requireValue<Value>(_ positional: Positional<Value>) throws(ProgramError) -> Value {
    do throws(UsageError) {
      return try require(positional)
    } catch {
      throw .usage(error)
    }
  }
}
