import HTTP
import Testing

@Suite struct SignatureTests {
  /// Cases 1, 2, 3 and 6 of RFC 4231.
  @Test(
    arguments: [
      (
        Array(repeating: 0x0B, count: 20), Array("Hi There".utf8),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        Array(repeating: 0xAA, count: 20), Array(repeating: 0xDD, count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        Array(repeating: 0xAA, count: 131),
        Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ] as [([UInt8], [UInt8], String)]
  )
  func standardCases(_ key: [UInt8], _ message: [UInt8], _ code: String) {
    #expect(HMACSHA256.hex(of: message, key: key) == code)
  }

  @Test func theTimeIsSignedToo() {
    let secret = Array("0123456789abcdef".utf8)
    let body = Array("{}".utf8)
    let value = WebhookSignature.value(of: body, secret: secret, secondsSince1970: 12)
    let code = HMACSHA256.hex(of: Array("12.{}".utf8), key: secret)
    #expect(value == "t=12,v1=\(code)")
    #expect(
      value != WebhookSignature.value(of: body, secret: secret, secondsSince1970: 13)
    )
  }
}
