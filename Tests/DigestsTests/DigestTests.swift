import Digests
import Testing

/// Digests, tested with the examples of the documents that define them.
@Suite struct DigestTests {
  private static let text = Array("abc".utf8)

  // FIPS 180-2, appendices A.1 and B.1; RFC 1321, appendix A.5.
  @Test(arguments: [
    (
      Digest.Algorithm.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    ),
    (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.md5, "900150983cd24fb0d6963f7d28e17f72"),
  ])
  func `the digest agrees with the standard`(_ algorithm: Digest.Algorithm, _ expected: String) {
    #expect(Digest.value(algorithm, of: Self.text).hexadecimal == expected)
  }

  @Test func `an empty input has a digest`() {
    #expect(
      Digest(.sha256).value.hexadecimal
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test func `pieces give the digest of the whole`() {
    let digest = Digest(.sha256)
    for byte in Self.text { digest.update([byte].span.bytes) }
    #expect(digest.value == Digest.value(.sha256, of: Self.text))
  }

  @Test func `a digest can be read between pieces`() {
    let digest = Digest(.md5)
    digest.update(Self.text.span.bytes)
    #expect(digest.value == Digest.value(.md5, of: Self.text))
    digest.update(Self.text.span.bytes)
    #expect(digest.value == Digest.value(.md5, of: Self.text + Self.text))
  }

  // RFC 4231, test cases 1 and 6: a short key, and one longer than a block.
  @Test func `the authentication code agrees with the standard`() {
    let short = Digest.authenticationCode(
      of: Array("Hi There".utf8), key: [UInt8](repeating: 0x0b, count: 20))
    #expect(
      short.hexadecimal == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    let long = Digest.authenticationCode(
      of: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      key: [UInt8](repeating: 0xaa, count: 131))
    #expect(long.hexadecimal == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }
}
