import Testing
import TestSupport
import Transfer

@testable import Upload

/// The examples that AWS publishes.
///
/// They come from the test suite for Signature Version 4, and from "Signature Calculations for the
/// Authorization Header" in the API reference of Amazon S3.
@Suite struct SignatureV4Tests {
  struct Vector: Sendable, CustomTestStringConvertible {
    var name: String
    var method = "GET"
    var path = "/"
    var query: [(String, String)] = []
    var headers: [(String, String)] = []
    var body = ""
    var signedHeaders: String?
    var signature: String
    var testDescription: String { name }
  }

  private static let token = """
    AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSP\
    fIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT\
    7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlz\
    m8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==
    """
  private static let unreserved =
    "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

  static let suite: [Vector] = [
    Vector(
      name: "get-vanilla",
      signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    Vector(
      name: "get-vanilla-query-order-key-case",
      query: [("Param2", "value2"), ("Param1", "value1")],
      signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
    Vector(
      name: "get-vanilla-empty-query-key", query: [("Param1", "value1")],
      signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
    Vector(
      name: "get-vanilla-query-unreserved", query: [(unreserved, unreserved)],
      signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
    Vector(
      name: "get-vanilla-utf8-query", query: [("\u{1234}", "bar")],
      signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
    Vector(
      name: "get-utf8", path: "/%E1%88%B4",
      signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
    Vector(
      name: "get-unreserved", path: "/" + unreserved,
      signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
    Vector(
      name: "get-header-key-duplicate",
      headers: [("My-Header1", "value2"), ("My-Header1", "value2"), ("My-Header1", "value1")],
      signedHeaders: "host;my-header1;x-amz-date",
      signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
    Vector(
      name: "get-header-value-trim",
      headers: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
      signedHeaders: "host;my-header1;my-header2;x-amz-date",
      signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
    Vector(
      name: "post-vanilla", method: "POST",
      signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
    Vector(
      name: "post-vanilla-query", method: "POST", query: [("Param1", "value1")],
      signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
    Vector(
      name: "post-header-key-sort", method: "POST", headers: [("My-Header1", "value1")],
      signedHeaders: "host;my-header1;x-amz-date",
      signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
    Vector(
      name: "post-header-value-case", method: "POST", headers: [("My-Header1", "VALUE1")],
      signedHeaders: "host;my-header1;x-amz-date",
      signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"),
    Vector(
      name: "post-x-www-form-urlencoded", method: "POST",
      headers: [("Content-Type", "application/x-www-form-urlencoded")], body: "Param1=value1",
      signedHeaders: "content-type;host;x-amz-date",
      signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
    Vector(
      name: "post-sts-header-before", method: "POST", headers: [("X-Amz-Security-Token", token)],
      signedHeaders: "host;x-amz-date;x-amz-security-token",
      signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"),
  ]

  @Test(arguments: suite)
  func `our signatures agree with the test suite of AWS`(vector: Vector) async throws {
    let signer = SignatureV4(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
      region: "us-east-1", service: "service")
    let request = CanonicalRequest(
      method: vector.method, path: vector.path,
      query: vector.query.map { CanonicalRequest.Parameter($0.0, $0.1) },
      headers: [
        HTTPHeader("X-Amz-Date", "20150830T123600Z"), HTTPHeader("Host", "example.amazonaws.com"),
      ] + vector.headers.map { HTTPHeader($0.0, $0.1) },
      payloadHash: try await sha256(of: vector.body))
    #expect(
      signer.authorization(for: request, at: SigningTime(seconds: 1_440_938_160))
        == """
        AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, \
        SignedHeaders=\(vector.signedHeaders ?? "host;x-amz-date"), Signature=\(vector.signature)
        """)
  }

  static let objects: [Vector] = [
    Vector(
      name: "GET object", path: "/test.txt", headers: [("Range", "bytes=0-9")],
      signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
    Vector(
      name: "PUT object", method: "PUT", path: "/test%24file.text",
      headers: [
        ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
      ], body: "Welcome to Amazon S3.",
      signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
    Vector(
      name: "GET bucket lifecycle", query: [("lifecycle", "")],
      signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    Vector(
      name: "GET bucket (list objects)", query: [("prefix", "J"), ("max-keys", "2")],
      signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
  ]

  @Test(arguments: objects)
  func `our signatures agree with the documentation of S3`(vector: Vector) async throws {
    let signer = SignatureV4(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1",
      service: "s3")
    let hash = try await sha256(of: vector.body)
    let request = CanonicalRequest(
      method: vector.method, path: vector.path,
      query: vector.query.map { CanonicalRequest.Parameter($0.0, $0.1) },
      headers: [
        HTTPHeader("Host", "examplebucket.s3.amazonaws.com"),
        HTTPHeader("x-amz-content-sha256", hash), HTTPHeader("x-amz-date", "20130524T000000Z"),
      ] + vector.headers.map { HTTPHeader($0.0, $0.1) }, payloadHash: hash)
    let authorization = signer.authorization(
      for: request, at: SigningTime(seconds: 1_369_353_600))
    #expect(authorization.hasSuffix("Signature=\(vector.signature)"), "\(request.text)")
  }

  @Test func `the canonical request is the documented one`() {
    let request = CanonicalRequest(
      method: "GET", path: "/test.txt",
      headers: [
        HTTPHeader("Range", "bytes=0-9"), HTTPHeader("Host", "examplebucket.s3.amazonaws.com"),
        HTTPHeader("x-amz-content-sha256", S3Call.emptyHash),
        HTTPHeader("x-amz-date", "20130524T000000Z"),
      ], payloadHash: S3Call.emptyHash)
    #expect(
      request.text == """
        GET
        /test.txt

        host:examplebucket.s3.amazonaws.com
        range:bytes=0-9
        x-amz-content-sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
        x-amz-date:20130524T000000Z

        host;range;x-amz-content-sha256;x-amz-date
        e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
        """)
  }

  @Test func `names are sorted before their values are looked at`() {
    let request = CanonicalRequest(
      method: "GET", path: "/",
      query: [
        .init("id-type", "x"), .init("id", "2"), .init("id", "10"), .init("part number", "a/b=c"),
        .init("uploads"),
      ], headers: [], payloadHash: "")
    #expect(request.encodedQuery == "id=10&id=2&id-type=x&part%20number=a%2Fb%3Dc&uploads=")
  }

  private func sha256(of text: String) async throws -> String {
    let directory = TemporaryDirectory()
    return try await directory.delivery(bytes: Array(text.utf8)).sha256
  }
}
