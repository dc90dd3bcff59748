/// The header that tells a receiver of a webhook who sent it, and when.
///
/// Its value is `t=SECONDS,v1=HEX`: the seconds since 1970 of this attempt, and the HMAC-SHA-256 of these
/// digits, a full stop and the body. A receiver that refuses old times can't be sent the same again.
package enum WebhookSignature {
  package static let header = "Rawmill-Signature"

  /// The header's value for a body that is sent now.
  package static func value(of body: [UInt8], secret: [UInt8], secondsSince1970: Int64) -> String {
    let signed = Array("\(secondsSince1970).".utf8) + body
    return "t=\(secondsSince1970),v1=\(HMACSHA256.hex(of: signed, key: secret))"
  }
}
