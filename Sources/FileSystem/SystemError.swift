internal import CLinux
package import Diagnostics
internal import Glibc

/// A system call that failed: its name, its `errno`, and the path it was about.
package struct SystemError: Error, Equatable, Sendable {
  /// `errno` as the call left it (`ENOSPC`).
  package let errorNumber: Int32
  /// The call (`fsync`).
  package let call: String
  package let path: FilePath?

  package init(errorNumber: Int32, call: String, path: FilePath? = nil) {
    self.errorNumber = errorNumber
    self.call = call
    self.path = path
  }

  /// The C name of the error number (`ENOSPC`).
  package var name: String { unsafe String(cString: rawmill_error_name(errorNumber)) }
}

extension SystemError: Diagnosable {
  package var code: ErrorCode {
    switch errorNumber {
    case ENOENT, ENOTDIR: "noSuchFile"
    case EACCES, EPERM: "accessDenied"
    case EEXIST: "fileExists"
    case EISDIR: "isFolder"
    case ENAMETOOLONG: "nameTooLong"
    case EINVAL, EILSEQ: "invalidArgument"
    case ELOOP: "linkLoop"
    case EFBIG: "fileTooLarge"
    case ENOSPC: "diskFull"
    case EDQUOT: "quotaExceeded"
    case ENOMEM: "outOfMemory"
    case EMFILE, ENFILE: "tooManyOpenFiles"
    case EROFS: "readOnlyFileSystem"
    case EIO: "inputOutputError"
    case ESTALE: "staleHandle"
    case ETIMEDOUT: "timedOut"
    default: "systemError"
    }
  }

  package var message: String {
    let text = unsafe String(cString: rawmill_error_text(errorNumber))
    let subject = path.map { "\($0): " } ?? ""
    return "\(subject)\(text) (\(call): \(name))"
  }

  package var disposition: Disposition {
    switch errorNumber {
    case ENOENT, ENOTDIR, EACCES, EPERM, EEXIST, EISDIR, ENAMETOOLONG, EINVAL, EILSEQ, ELOOP, EFBIG:
      .permanent
    case ENOSPC, EDQUOT, ENOMEM, EMFILE, ENFILE, EAGAIN: .resource
    // A share that went away, a cable: another time or another host may do better.
    default: .transient
    }
  }
}

extension SystemError: CustomStringConvertible {
  package var description: String { message }
}
