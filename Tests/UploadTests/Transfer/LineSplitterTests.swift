import TestSupport
import Testing

@testable import Transfer

@Suite struct LineSplitterTests {
  private func lines(
    _ pieces: [[UInt8]], maximum: Int = 1 << 20
  ) throws(LineSplitter.LineTooLong) -> [String] {
    var splitter = LineSplitter(maximumLineBytes: maximum)
    var lines: [String] = []
    for piece in pieces {
      let add = { (bytes: UnsafeRawBufferPointer) -> Result<Void, LineSplitter.LineTooLong> in
        Result { () throws(LineSplitter.LineTooLong) in
          try splitter.add(bytes) { lines.append($0) }
        }
      }
      try piece.withUnsafeBytes(add).get()
    }
    if let rest = splitter.finish() { lines.append(rest) }
    return lines
  }

  @Test(arguments: [
    ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\n", ["a"]), ("a\rb", ["a", "b"]),
    ("data: 1\n\ndata: 2\n\n", ["data: 1", "", "data: 2", ""]),
    ("a\r\n\r\nb", ["a", "", "b"]), ("a\n\rb", ["a", "", "b"]), ("ü\n", ["ü"]),
  ])
  func `text is split into lines`(text: String, expected: [String]) throws {
    #expect(try lines([Array(text.utf8)]) == expected)
  }

  @Test func `a line that is too long is refused`() {
    #expect(throws: LineSplitter.LineTooLong.self) { try lines([Array("12345".utf8)], maximum: 4) }
    #expect(throws: Never.self) { try lines([Array("1234\n1234".utf8)], maximum: 4) }
  }

  @Test func `lines do not depend on where the pieces end`() throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let alphabet = Array("ab\r\n\u{FC}".utf8)
      let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      var pieces: [[UInt8]] = []
      var rest = text[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &random)
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(try lines(pieces) == lines([text]), "seed \(seed)")
    }
  }
}
