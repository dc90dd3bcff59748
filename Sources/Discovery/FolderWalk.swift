package import FileSystem
internal import Glibc

/// All regular files in and below the named files and folders, in an order that depends on their names
/// alone.
///
/// Names are bytes. Hidden entries (a leading dot) are left out, which covers unfinished outputs.
/// Links are followed, but no folder is entered twice, so that a loop of links ends.
package struct FolderWalk: Sendable {
  /// The files, in the order of the inputs, then bytewise by path.
  package private(set) var files: [FoundFile] = []
  /// Patterns that matched nothing.
  package private(set) var unmatched: [GlobPattern] = []
  /// What could not be read.
  package private(set) var problems: [SystemError] = []

  private struct FolderIdentity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private let excluded: FolderIdentity?
  private var entered: Set<FolderIdentity> = []
  private var paths: Set<FilePath> = []

  /// Walks.
  ///
  /// `excluding` is the folder of the outputs: it is not scanned where it lies inside an input, but it
  /// may be an input itself. The inputs may be relative to the working directory.
  package init(_ inputs: [FilePath], excluding: FilePath? = nil) {
    self.init(inputs.map { .path($0) }, excluding: excluding)
  }

  /// Walks inputs that were named in any way.
  ///
  /// The relative path of what a pattern finds begins below the pattern's fixed folders, that of a list's
  /// entries below `base`, an absolute folder; an entry outside of it has its name alone. Entries may
  /// name a file twice.
  package init(
    _ sources: [InputSource],
    excluding: FilePath? = nil,
    base: FilePath? = nil
  ) {
    excluded = (try? excluding?.statusIfExists()).flatMap { $0 }
      .map { FolderIdentity(device: $0.device, inode: $0.inode) }
    for source in sources {
      switch source {
      case .path(let input): take(input, isNamed: true)
      case .pattern(let pattern):
        let (matches, failures) = pattern.paths()
        problems += failures
        if matches.isEmpty { unmatched.append(pattern) }
        for path in matches { take(path, isNamed: false, base: pattern.base) }
      case .listed(let input, let entry):
        take(input, isNamed: true, base: base, entry: entry)
      }
    }
  }

  /// Takes a file, or what is in a folder; paths are relative to `base` where they lie in it.
  private mutating func take(
    _ input: FilePath,
    isNamed: Bool,
    base: FilePath? = nil,
    entry: Int? = nil
  ) {
    do throws(SystemError) {
      let path = try input.absolute()
      let status = try path.status()
      let base = try base?.absolute()
      switch status.kind {
      case .folder:
        walk(path, status, base: base.flatMap { path.relative(to: $0) == nil ? nil : $0 }, entry)
      case .file:
        let relative = base.flatMap { path.relative(to: $0) } ?? path.lastComponent ?? path
        add(path, relative: relative, status, isNamed: isNamed, entry)
      case .symbolicLink, .other:
        throw SystemError(errorNumber: EINVAL, call: "open", path: path)
      }
    } catch {
      problems.append(error)
    }
  }

  private mutating func walk(
    _ root: FilePath,
    _ status: FileStatus,
    base: FilePath?,
    _ entry: Int?
  ) {
    // A stack of its own: the depth of folders is the user's.
    var stack: [(path: FilePath, kind: FileStatus.Kind)] = []
    enter(root, status, isInput: true, &stack)
    while let (path, kind) = stack.popLast() {
      do throws(SystemError) {
        let status = try path.status()
        switch status.kind {
        case .folder: enter(path, status, isInput: false, &stack)
        case .file:
          let relative = path.relative(to: base ?? root) ?? path
          add(path, relative: relative, status, isNamed: false, entry)
        case .symbolicLink, .other: continue
        }
      } catch {
        // A dangling link is no input; a file that vanished meanwhile is none any more.
        if error.errorNumber == ENOENT || (kind == .symbolicLink && error.errorNumber == ELOOP) {
          continue
        }
        problems.append(error)
      }
    }
  }

  /// Puts a folder's entries on the stack, so that the bytewise first comes off first.
  private mutating func enter(
    _ folder: FilePath,
    _ status: FileStatus,
    isInput: Bool,
    _ stack: inout [(path: FilePath, kind: FileStatus.Kind)]
  ) {
    let identity = FolderIdentity(device: status.device, inode: status.inode)
    if !isInput, identity == excluded { return }
    guard entered.insert(identity).inserted else { return }
    do throws(SystemError) {
      for entry in try folder.directoryEntries().reversed() where !entry.name.isHidden {
        if entry.kind == .other { continue }
        stack.append((folder.appending(component: entry.name.bytes), entry.kind))
      }
    } catch {
      problems.append(error)
    }
  }

  private mutating func add(
    _ path: FilePath,
    relative: FilePath,
    _ status: FileStatus,
    isNamed: Bool,
    _ entry: Int?
  ) {
    guard paths.insert(path).inserted || entry != nil else { return }
    files.append(
      FoundFile(
        path: path,
        relativePath: relative,
        status: status,
        isNamed: isNamed,
        entry: entry
      )
    )
  }
}
