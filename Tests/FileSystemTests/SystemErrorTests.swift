import Diagnostics
import FileSystem
import Glibc
import Testing

@Suite struct SystemErrorTests {
  @Test(
    arguments: [
      (ENOENT, "noSuchFile", .permanent), (ENOTDIR, "noSuchFile", .permanent),
      (EACCES, "accessDenied", .permanent), (EPERM, "accessDenied", .permanent),
      (EEXIST, "fileExists", .permanent), (EISDIR, "isFolder", .permanent),
      (ENAMETOOLONG, "nameTooLong", .permanent), (EINVAL, "invalidArgument", .permanent),
      (EILSEQ, "invalidArgument", .permanent), (ELOOP, "linkLoop", .permanent),
      (EFBIG, "fileTooLarge", .permanent), (ENOSPC, "diskFull", .resource),
      (EDQUOT, "quotaExceeded", .resource), (ENOMEM, "outOfMemory", .resource),
      (EMFILE, "tooManyOpenFiles", .resource), (ENFILE, "tooManyOpenFiles", .resource),
      (EAGAIN, "systemError", .resource), (EROFS, "readOnlyFileSystem", .transient),
      (EIO, "inputOutputError", .transient), (ESTALE, "staleHandle", .transient),
      (ETIMEDOUT, "timedOut", .transient), (ENOTCONN, "systemError", .transient),
    ] as [(Int32, ErrorCode, Disposition)]
  )
  func codeAndDisposition(number: Int32, code: ErrorCode, disposition: Disposition) {
    let error = SystemError(errorNumber: number, call: "open", path: "/x")
    #expect(error.code == code)
    #expect(error.disposition == disposition)
  }

  @Test func messageNamesPathCallAndNumber() {
    let error = SystemError(errorNumber: ENOSPC, call: "pwrite", path: "/out/a.heic")
    #expect(error.message == "/out/a.heic: No space left on device (pwrite: ENOSPC)")
    #expect(
      SystemError(errorNumber: -5, call: "x").message == "Unknown error (x: errno out of range)"
    )
  }
}
