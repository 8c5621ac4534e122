import Testing
import TestSupport

@testable import Upload

@Suite struct ContentDigestTests {
  @Test func `only all bytes of an item and no more match`() async throws {
    let bytes = somePicture(byteCount: 1000)
    let delivery = try await TemporaryDirectory().delivery(bytes: bytes)
    for (pieces, matches) in [
      ([bytes], true), ([Array(bytes[..<300]), Array(bytes[300...])], true),
      ([Array(bytes.dropLast())], false), ([bytes, [0]], false), ([bytes + [0]], false),
      ([], false),
    ] {
      let digest = ContentDigest(expectedByteCount: 1000)
      for piece in pieces { _ = piece.withUnsafeBytes { digest.add($0) } }
      #expect(digest.matches(delivery) == matches)
    }
  }

  @Test func `too many bytes end the transfer`() {
    let digest = ContentDigest(expectedByteCount: 3)
    let piece: [UInt8] = [1, 2]
    #expect(piece.withUnsafeBytes { digest.add($0) })
    #expect(!piece.withUnsafeBytes { digest.add($0) })
    #expect(digest.summary == "more than 3 bytes")
  }
}
