internal import FileSystem

/// Runs file operations with their error as the program's.
func wrappingFiles<Value: ~Copyable>(
  _ body: () throws(SystemError) -> Value
) throws(ProgramError) -> Value {
  do throws(SystemError) {
    return try body()
  } catch {
    throw .file(error)
  }
}
