import Digests
import Foundation
import Testing
import TestSupport

@testable import Upload

@Suite(.timeLimit(.minutes(10))) struct FileHasherTests {
  private let files = TemporaryDirectory()
  private let hasher = FileHasher()

  @Test(arguments: [Digest.Algorithm.sha256, .sha1, .md5])
  func `the digests of a part agree with the system's programs`(algorithm: Digest.Algorithm)
    async throws
  {
    let bytes = somePicture(byteCount: 700_001)
    let delivery = try await files.delivery(bytes: bytes)
    for range in [0..<700_001, 0..<0, 699_999..<700_001, 262_143..<524_289] as [Range<Int64>] {
      let part = files.path + "/part"
      try Data(bytes[Int(range.lowerBound)..<Int(range.upperBound)]).write(
        to: URL(fileURLWithPath: part))
      let expected = try await run("/usr/bin/\(algorithm.rawValue)sum", [part]).prefix { $0 != " " }
      let parts = [0..<range.lowerBound, range, range.upperBound..<700_001]
      let digests = try await hasher.verifiedParts(of: delivery, parts, [algorithm])
      #expect(digests[1][algorithm]?.hexadecimal == String(expected))
    }
  }

  @Test func `only the item's own bytes pass`() async throws {
    let delivery = try await files.delivery(bytes: somePicture(byteCount: 100_000))
    let parts = try await hasher.verifiedParts(
      of: delivery, [0..<60_000, 60_000..<100_000], [.sha256, .md5])
    #expect(parts.count == 2)
    #expect(parts[1][.sha256]?.count == 32 && parts[1][.md5]?.count == 16)
    try await hasher.verify(delivery)
    var shorter = delivery
    shorter.byteCount -= 1
    var other = delivery
    other.sha256 = String(repeating: "0", count: 64)
    var longer = delivery
    longer.byteCount += 1
    var absent = delivery
    absent.path += "-gone"
    for wrong in [shorter, other, longer, absent] {
      let failure = await #expect(throws: DeliveryFailure.self) { try await hasher.verify(wrong) }
      #expect(failure?.code == .fileUnreadable)
      #expect(failure?.scope == .item)
    }
  }

  @Test func `canceling ends the hashing`() async throws {
    let delivery = try await files.delivery(bytes: somePicture(byteCount: 100_000))
    let task = Task { [hasher] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await hasher.verify(delivery)
    }
    let result = await task.result
    #expect { try result.get() } throws: { ($0 as? DeliveryFailure)?.code == .cancelled }
  }
}
