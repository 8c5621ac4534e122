import Digests

/// A signer by AWS Signature Version 4, `AWS4-HMAC-SHA256`, without clock or I/O.
///
/// libcurl can sign too (`CURLOPT_AWS_SIGV4`), but not well enough on our systems. Version 7.88 in
/// Debian 12 does not sort the query (curl issue 9717), and signs `?uploads` (8107) and a `=` in a
/// key (13754) wrongly. That version orders `x-amz-meta-a-b` before `x-amz-meta-a` (14370, fixed
/// after 8.9). The signature omits the hash of a body that libcurl reads piece by piece. The time
/// is always from the system's clock, which on a rig may be years off.
struct SignatureV4: Hashable {
  /// The public part of the key.
  var accessKeyID: String
  /// The secret part of the key.
  var secretAccessKey: String
  /// The region that the key is used in, for example `eu-central-1`.
  var region: String
  /// The service, `s3`.
  var service: String

  /// Returns the scope of a signature: a day, a region and a service.
  func scope(at time: SigningTime) -> String {
    "\(time.date)/\(region)/\(service)/aws4_request"
  }

  /// Returns the text that is signed.
  func stringToSign(_ request: CanonicalRequest, at time: SigningTime) -> String {
    [
      "AWS4-HMAC-SHA256", time.text, scope(at: time),
      Digest.value(.sha256, of: request.text.utf8).hexadecimal,
    ].joined(separator: "\n")
  }

  /// Returns the value of the field `Authorization`.
  func authorization(for request: CanonicalRequest, at time: SigningTime) -> String {
    var key = Array("AWS4\(secretAccessKey)".utf8)
    for part in [time.date, region, service, "aws4_request"] {
      key = Digest.authenticationCode(of: Array(part.utf8), key: key)
    }
    let signature = Digest.authenticationCode(
      of: Array(stringToSign(request, at: time).utf8), key: key)
    return """
      AWS4-HMAC-SHA256 Credential=\(accessKeyID)/\(scope(at: time)), \
      SignedHeaders=\(request.signedHeaders), Signature=\(signature.hexadecimal)
      """
  }
}
