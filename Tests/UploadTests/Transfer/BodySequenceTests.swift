import Testing
import TestSupport
import Upload

@testable import Transfer

@Suite struct BodySequenceTests {
  private let files = TemporaryDirectory()

  /// Reads to the end in pieces of a size.
  private func readAll(_ body: inout BodySequence, pieceBytes: Int) throws -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: pieceBytes)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try body.read(into: $0) }
      guard count > 0 else { return all }
      all += buffer[..<count]
    }
  }

  @Test(arguments: [1, 7, 4096, 1 << 20])
  func `parts come one after the other`(pieceBytes: Int) async throws {
    let picture = somePicture(byteCount: 10_000)
    let delivery = try await files.delivery(bytes: picture)
    let empty = try await files.delivery(id: "empty", bytes: [])
    var body = try BodySequence(
      .parts([
        .bytes([]), .bytes([1, 2]), .none, .file(path: empty.path), .file(path: delivery.path),
        .parts([.bytes([3]), .fileRange(path: delivery.path, offset: 9_998, byteCount: 2)]),
      ]))
    let whole = [1, 2] + picture + [3] + picture.suffix(2)
    let byteCount = body.byteCount
    #expect(byteCount == Int64(whole.count))
    let first = try readAll(&body, pieceBytes: pieceBytes)
    #expect(first == whole)
    let second = try readAll(&body, pieceBytes: pieceBytes)
    #expect(second == [])
    // libcurl asks for this offset before it sends a body again.
    for offset in [0, 1, 2, 3, 5000, 10_002, 10_003, whole.count - 1, whole.count] {
      let isThere = body.seek(to: Int64(offset))
      #expect(isThere)
      let rest = try readAll(&body, pieceBytes: pieceBytes)
      #expect(rest == Array(whole[offset...]))
    }
    for offset in [whole.count + 1, -1] {
      let isThere = body.seek(to: Int64(offset))
      #expect(!isThere)
    }
  }

  @Test func `a missing body differs from an empty body`() throws {
    let none = try BodySequence(.none).byteCount
    #expect(none == nil)
    let empty = try BodySequence(.parts([])).byteCount
    #expect(empty == 0)
  }

  @Test func `a part that cannot be opened is named`() throws {
    let failure = try #require(throws: ReadFailure.self) {
      _ = try BodySequence(.parts([.bytes([1]), .file(path: "/nonexistent")]))
    }
    #expect(failure.path == "/nonexistent")
  }
}
