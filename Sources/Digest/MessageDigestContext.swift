internal import CLibCrypto

/// One running libcrypto digest: the only file that calls the library.
///
/// Threads: a context belongs to one caller at a time; it is not shared.
@safe
struct MessageDigestContext: ~Copyable {
  enum Algorithm {
    case sha256
    case md5
  }

  private let context: OpaquePointer

  /// Starts a digest.
  ///
  /// libcrypto fails here only when memory ran out or a provider lacks the algorithm; neither can come
  /// from input bytes, so both end the process as Swift's own allocations do.
  init(_ algorithm: Algorithm) {
    guard let context = unsafe EVP_MD_CTX_new() else {
      fatalError("out of memory for a message digest")
    }
    let type =
      switch algorithm {
      case .sha256: unsafe EVP_sha256()
      case .md5: unsafe EVP_md5()
      }
    guard unsafe EVP_DigestInit_ex(context, type, nil) == 1 else {
      fatalError("libcrypto has no \(algorithm) digest")
    }
    unsafe self.context = context
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { buffer in
      // The context was initialised; an update of memory in reach cannot fail.
      _ = unsafe EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
    }
  }

  /// The digest's bytes; the context is spent.
  consuming func finalize<Value>(into zero: Value) -> Value {
    var value = zero
    var length: UInt32 = 0
    unsafe withUnsafeMutableBytes(of: &value) { buffer in
      let bytes = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
      // `Value` has exactly the digest's size (SIMD16 for MD5, SIMD32 for SHA-256).
      _ = unsafe EVP_DigestFinal_ex(context, bytes, &length)
    }
    precondition(Int(length) == MemoryLayout<Value>.size, "the digest has another length")
    return value
  }
}
