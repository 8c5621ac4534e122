import Digests
import Testing

@testable import Transfer
@testable import Upload

@Suite struct TusCapabilitiesTests {
  private func capabilities(_ status: Int, _ headers: [(String, String)]) -> TusCapabilities? {
    TusCapabilities(
      HTTPResponse(status: status, headers: headers.map { HTTPHeader($0.0, $0.1) }))
  }

  @Test func `a server's capabilities are read`() throws {
    let full = try #require(
      capabilities(
        204,
        [
          ("Tus-Version", "1.0.0,0.2.2"), ("Tus-Extension", "Creation, checksum,expiration"),
          ("tus-max-size", "1073741824"), ("Tus-Checksum-Algorithm", "md5,sha1,SHA256"),
        ]))
    #expect(full.extensions == ["creation", "checksum", "expiration"])
    #expect(full.maximumByteCount == 1_073_741_824)
    #expect(full.checksum == .sha256)
    let small = try #require(
      capabilities(200, [("Tus-Resumable", "1.0.0"), ("Tus-Max-Size", "0")]))
    #expect(small.extensions.isEmpty)
    #expect(small.maximumByteCount == nil)
    #expect(small.checksum == nil)
  }

  @Test(arguments: [
    ("creation,checksum", "sha1", Digest.Algorithm.sha1), ("checksum", "crc32", nil),
    ("creation", "sha1", nil), ("checksum", "", nil), ("checksum", "md5", nil),
  ])
  func `a checksum is used only if both sides know it`(
    extensions: String, algorithms: String, expected: Digest.Algorithm?
  ) {
    let found = capabilities(
      200,
      [
        ("Tus-Version", "1.0.0"), ("Tus-Extension", extensions),
        ("Tus-Checksum-Algorithm", algorithms),
      ])
    #expect(found?.checksum == expected)
  }

  @Test func `answers of other servers are refused`() {
    #expect(capabilities(200, []) == nil)
    #expect(capabilities(200, [("Tus-Version", "0.2.2")]) == nil)
    #expect(capabilities(404, [("Tus-Version", "1.0.0")]) == nil)
  }
}
