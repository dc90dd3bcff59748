package import FileSystem

/// An open file that several values may refer to; closed with the last reference.
package final class OpenFile: Sendable {
  package let descriptor: FileDescriptor

  package init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }
}
