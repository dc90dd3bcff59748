internal import DNGFormat
internal import FileSystem
internal import JSON
internal import Raster
internal import SampleScene
internal import ServiceRuntime

/// `rawmill sample`: DNGs of a scene that the program computes, to try everything with.
enum SampleCommand: Command {
  static let to = Option(
    "--to",
    "folder",
    .path,
    isRequired: true,
    "The folder that the samples are written to."
  )

  static var syntax: CommandSyntax {
    CommandSyntax("sample", "Write DNGs of a scene that rawmill computes.")
      .discussion(
        """
        The scene has colour patches, ramps, fine detail, a highlight that clips and sensor noise. \
        The files are the same everywhere; one that is there already is left as it is.
        """
      )
      .option(to).option(CommonOptions.threads).flag(CommonOptions.json)
  }

  static func run(
    _ arguments: ParsedArguments,
    _ program: Program
  ) throws(ProgramError) -> ExitCode {
    let folder = try arguments.requireValue(to)
    let lanes = arguments[CommonOptions.threads] ?? ProcessorBudget.current.threadCount
    let scheduler = TileScheduler(laneCount: lanes)
    let events = program.events(arguments)
    do throws(SystemError) {
      try folder.createDirectories()
    } catch {
      throw .file(error)
    }
    for sample in SampleFile.allCases {
      let path = folder.appending(FilePath(sample.name))
      let bytes: [UInt8]
      do throws(DNGWritingError) {
        bytes = try sample.bytes(scheduler: scheduler)
      } catch {
        throw .other(error)
      }
      do throws(SystemError) {
        let isNew = try write(bytes, to: path)
        events.emit(
          "sample",
          [
            "path": .string(path.displayText), "bytes": .init(bytes.count), "isNew": .init(isNew),
          ]
        )
        if !events.isEnabled {
          let note = isNew ? "" : ", was there"
          program.standardOutput.writeLine("\(path): \(Quantity.bytes(Int64(bytes.count)))\(note)")
        }
      } catch {
        throw .file(error)
      }
    }
    return .success
  }

  /// Writes a file under its final name only when it is whole; false if it was there already.
  private static func write(_ bytes: [UInt8], to path: FilePath) throws(SystemError) -> Bool {
    if let status = try path.statusIfExists(), status.size == Int64(bytes.count),
      try path.readAll() == bytes
    {
      return false
    }
    let name = path.bytes + Array(".\(SystemInformation.processID).part".utf8)
    let temporary = FilePath(bytes: name)
    let file = try FileDescriptor.open(temporary, .readWriteExclusively(permissions: 0o644))
    do throws(SystemError) {
      try file.write(bytes)
      try file.synchronize()
      // Not over a file that is something else.
      try temporary.renameNoReplace(to: path)
    } catch {
      _ = try temporary.removeFileIfExists()
      throw error
    }
    return true
  }
}
