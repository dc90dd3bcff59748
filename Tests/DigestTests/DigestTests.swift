internal import Digest
import Testing

@Suite("Message digests")
struct DigestTests {
  /// FIPS 180-4 examples (NIST "SHA256.pdf") and the digest of nothing.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func sha256OfPublishedExamples(text: String, hex: String) {
    #expect(SHA256.digest(of: Array(text.utf8)).hex == hex)
  }

  /// RFC 1321 appendix A.5.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func md5OfPublishedExamples(text: String, hex: String) {
    #expect(MD5.digest(of: Array(text.utf8)).hex == hex)
  }

  @Test("Bytes may come in any pieces", arguments: [1, 3, 63, 64, 65, 1000])
  func pieces(size: Int) {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var sha = SHA256()
    var md5 = MD5()
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = Array(bytes[start..<min(bytes.count, start + size)])
      sha.update(piece)
      md5.update(piece)
    }
    #expect(sha.finalize() == SHA256.digest(of: bytes))
    #expect(md5.finalize() == MD5.digest(of: bytes))
  }

  @Test("A text adds its UTF-8")
  func text() {
    var hash = SHA256()
    hash.update("a")
    hash.update("bc")
    #expect(hash.finalize() == SHA256.digest(of: Array("abc".utf8)))
  }

  @Test("Hexadecimal text and bytes go back and forth")
  func hexadecimal() throws {
    let digest = MD5.digest(of: [1, 2, 3])
    #expect(MD5Digest(hex: digest.hex) == digest)
    #expect(MD5Digest(hex: digest.hex.uppercased()) == digest)
    #expect(MD5Digest(bytes: digest.bytes) == digest)
    #expect("\(digest)" == digest.hex)
    let long = SHA256.digest(of: [1, 2, 3])
    #expect(SHA256Digest(hex: long.hex) == long)
    #expect(SHA256Digest(bytes: long.bytes) == long)
    #expect("\(long)" == long.hex)
  }

  @Test(
    "Anything else is no digest",
    arguments: [
      "", "0", "00", String(repeating: "0", count: 63), String(repeating: "g", count: 64),
    ]
  )
  func notHexadecimal(text: String) {
    #expect(SHA256Digest(hex: text) == nil)
    #expect(MD5Digest(hex: text) == nil)
    #expect(SHA256Digest(bytes: Array(text.utf8)) == nil)
  }
}
