internal import CLibCURL

// Every call of libcurl stands in this file.

/// One transfer of libcurl, freed at the end of its life.
@safe
struct CURLTransfer: ~Copyable {
  private let handle: UnsafeMutableRawPointer

  private init(taking handle: UnsafeMutableRawPointer) {
    unsafe self.handle = handle
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
  }

  /// libcurl wants this once, before the first transfer.
  private static let globalFailure: String? = {
    let code = rawmill_curl_global_init()
    return code == CURLE_OK ? nil : text(code)
  }()

  static func make() throws(HTTPError) -> CURLTransfer {
    if let reason = globalFailure { throw .clientUnavailable(reason: reason) }
    guard let handle = unsafe curl_easy_init() else {
      throw .clientUnavailable(reason: "out of memory")
    }
    return unsafe CURLTransfer(taking: handle)
  }

  /// Sends a body and gives the status of the answer, whose body is dropped.
  func post(_ body: [UInt8], to request: HTTPRequest) throws(HTTPError) -> Int {
    var headers: UnsafeMutablePointer<curl_slist>?
    defer { unsafe curl_slist_free_all(headers) }
    for (name, value) in request.headers {
      let line = "\(name): \(value)"
      guard let longer = unsafe curl_slist_append(headers, line) else {
        throw .clientUnavailable(reason: "out of memory")
      }
      unsafe headers = longer
    }
    var codes: [CURLcode] = unsafe [
      rawmill_curl_set_text(handle, CURLOPT_URL, request.url.text),
      // Names of schemes; a redirect is an answer like another.
      rawmill_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
      rawmill_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0),
      rawmill_curl_set_number(handle, CURLOPT_SSL_VERIFYPEER, 1),
      rawmill_curl_set_number(handle, CURLOPT_SSL_VERIFYHOST, 2),
      // No signal handlers: threads of this process wait for their own.
      rawmill_curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
      rawmill_curl_set_number(
        handle,
        CURLOPT_CONNECTTIMEOUT_MS,
        Int(request.connectTimeout / .milliseconds(1))
      ),
      rawmill_curl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(request.timeout / .milliseconds(1))),
      rawmill_curl_set_text(handle, CURLOPT_USERAGENT, request.userAgent),
      rawmill_curl_set_headers(handle, headers),
    ]
    if let file = request.certificateAuthorities {
      codes.append(unsafe rawmill_curl_set_text(handle, CURLOPT_CAINFO, file))
    }
    // libcurl reads the body and counts the reply until perform returns, inside this scope.
    var reply = rawmill_curl_reply(count: 0, limit: request.replyLimit)
    var result = CURLE_OK
    unsafe body.withUnsafeBytes { bytes in
      unsafe withUnsafeMutablePointer(to: &reply) { reply in
        codes.append(unsafe rawmill_curl_set_body(handle, bytes.baseAddress, bytes.count))
        codes.append(unsafe rawmill_curl_drop_reply(handle, reply))
        guard codes.allSatisfy({ $0 == CURLE_OK }) else { return }
        result = unsafe curl_easy_perform(handle)
      }
    }
    if let refused = codes.first(where: { $0 != CURLE_OK }) {
      throw .clientUnavailable(reason: Self.text(refused))
    }
    guard result == CURLE_OK else {
      throw .noAnswer(host: request.url.host, reason: Self.text(result))
    }
    var status = 0
    guard unsafe rawmill_curl_status(handle, &status) == CURLE_OK else {
      throw .noAnswer(host: request.url.host, reason: "no status")
    }
    return status
  }

  /// libcurl's name of a failure, which shows nothing of the URL.
  private static func text(_ code: CURLcode) -> String {
    guard let text = unsafe curl_easy_strerror(code) else { return "error \(code.rawValue)" }
    return unsafe String(cString: text)
  }
}
