import Testing

@testable import Transfer

@Suite struct ResponseCollectorTests {
  private func add(head line: String, to collector: inout ResponseCollector)
    -> ResponseCollector.Refusal?
  {
    Array(line.utf8).withUnsafeBytes { collector.addHead(line: $0) }
  }

  @Test func `the final head replaces interim ones`() {
    var collector = ResponseCollector(maximumBodyBytes: 10, reader: nil)
    for line in [
      "HTTP/1.1 100 Continue\r\n", "X-A: 1\r\n", "\r\n", "HTTP/1.1 201\r\n", "X-B: 2\r\n",
    ] {
      #expect(add(head: line, to: &collector) == nil)
    }
    #expect(collector.response == HTTPResponse(status: 201, headers: [HTTPHeader("X-B", "2")]))
  }

  @Test func `a flood of interim responses is cut off`() {
    var collector = ResponseCollector(maximumBodyBytes: 10, reader: nil)
    var lines = 0
    while add(head: "HTTP/1.1 100 Continue\r\n", to: &collector) == nil { lines += 1 }
    #expect(lines == ResponseCollector.maximumHeadBytes / 23)
  }

  @Test func `only the body of a success goes to the reader`() {
    for (status, reaches) in [(200, true), (204, true), (301, false), (503, false)] {
      var collector = ResponseCollector(maximumBodyBytes: 3) { _, _ in false }
      _ = add(head: "HTTP/1.1 \(status) X\r\n", to: &collector)
      let refusal = [1, 2, 3].withUnsafeBytes { collector.addBody(.init(rebasing: $0[..<3])) }
      #expect(refusal == (reaches ? .readerIsDone : nil))
      #expect(collector.response.body.count == (reaches ? 0 : 3))
    }
  }

  @Test func `the body has a limit`() {
    var collector = ResponseCollector(maximumBodyBytes: 4, reader: nil)
    _ = add(head: "HTTP/1.1 200 OK\r\n", to: &collector)
    let piece: [UInt8] = [1, 2, 3]
    #expect(piece.withUnsafeBytes { collector.addBody($0) } == nil)
    #expect(piece.withUnsafeBytes { collector.addBody($0) } == .bodyTooLarge)
  }
}
