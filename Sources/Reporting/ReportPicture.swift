/// A job's picture on a page, or why it is not there.
package struct ReportPicture: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    /// A JPEG in base64 (RFC 4648, section 4), with its pixels.
    case jpeg(base64: String, width: Int, height: Int)
    /// Why there is none, in words.
    case missing(String)
  }

  /// The input, as people read it.
  package var name: String
  /// The code of its failure; nil for a job that is done.
  package var failure: String?
  package var content: Content

  package init(name: String, failure: String? = nil, content: Content) {
    self.name = name
    self.failure = failure
    self.content = content
  }
}
