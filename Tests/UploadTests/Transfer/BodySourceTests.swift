import Foundation
import Testing
import TestSupport

@testable import Transfer

@Suite struct BodySourceTests {
  private let directory = TemporaryDirectory()

  private func file(_ bytes: [UInt8]) throws -> String {
    let path = directory.path + "/body"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Reads a body to its end, in pieces of a size.
  private func content(_ body: HTTPBody, pieces: Int = 7) throws -> [UInt8] {
    var source = try BodySource(body)
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: pieces)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
      guard count > 0 else { return all }
      all += buffer[..<count]
    }
  }

  @Test(arguments: [(0, 100), (0, 0), (100, 0), (13, 50), (99, 1)])
  func `a range is that part of the file`(offset: Int64, count: Int64) throws {
    let bytes = somePicture(byteCount: 100)
    let path = try file(bytes)
    let body = HTTPBody.fileRange(path: path, offset: offset, byteCount: count)
    #expect(try content(body) == Array(bytes[Int(offset)..<Int(offset + count)]))
    let source = try BodySource(body)
    #expect(source.byteCount == count)
  }

  @Test(
    arguments: [
      (0, 101), (100, 1), (101, 0), (-1, 5), (5, -1), (Int64.max, 1), (1, Int64.max),
    ] as [(Int64, Int64)])
  func `a range outside the file is refused`(offset: Int64, count: Int64) throws {
    let path = try file(somePicture(byteCount: 100))
    let failure = #expect(throws: ReadFailure.self) {
      _ = try content(.fileRange(path: path, offset: offset, byteCount: count))
    }
    #expect(failure?.path == path)
    #expect(failure?.cause == "it has 100 bytes and not \(count) from byte \(offset) on")
  }

  @Test func `a file that shrinks meanwhile is noticed`() throws {
    let path = try file(somePicture(byteCount: 100))
    for body in [HTTPBody.file(path: path), .fileRange(path: path, offset: 20, byteCount: 60)] {
      try Data(somePicture(byteCount: 100)).write(to: URL(fileURLWithPath: path))
      var source = try BodySource(body)
      truncate(path, 40)
      var buffer = [UInt8](repeating: 0, count: 100)
      let first = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
      #expect(first == (body == .file(path: path) ? 40 : 20))
      let result = buffer.withUnsafeMutableBytes { bytes in
        Result { try source.read(into: bytes) }
      }
      #expect { try result.get() } throws: {
        ($0 as? ReadFailure)?.cause.contains("bytes shorter than when it was opened") == true
      }
    }
  }

  @Test func `a range can be read again from its beginning`() throws {
    let bytes = somePicture(byteCount: 100)
    var source = try BodySource(
      .fileRange(path: try file(bytes), offset: 30, byteCount: 10))
    var buffer = [UInt8](repeating: 0, count: 10)
    _ = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
    let back = source.seek(to: 3)
    #expect(back)
    let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
    #expect(Array(buffer[..<count]) == Array(bytes[33..<40]))
    let beyond = source.seek(to: 11)
    #expect(!beyond)
  }

  @Test func `a link is refused for a range too`() throws {
    let path = try file(somePicture(byteCount: 100))
    let link = directory.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(throws: ReadFailure.self) {
      _ = try content(.fileRange(path: link, offset: 0, byteCount: 1))
    }
  }
}
