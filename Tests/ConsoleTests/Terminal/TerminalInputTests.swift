import Foundation
import Testing

@testable import Console

@Suite struct TerminalInputTests {
  @Test func `no byte is dropped at any rate or delay`() async throws {
    var ends: [Int32] = [-1, -1]
    let isMade = pipe(&ends) == 0
    try #require(isMade)
    let (reading, writing) = (ends[0], ends[1])
    let input = TerminalInput()
    input.read(reading)
    // More bytes than the input keeps, so that the sender has to wait for the reader.
    let total = 3 * TerminalInput.capacity
    let sender = Thread {
      var byte: UInt8 = 0
      var sent = 0
      while sent < total {
        let piece = (0..<1000).map { _ in
          byte = byte % 25 + 1
          return byte + UInt8(ascii: "a")
        }
        sent += max(0, Foundation.write(writing, piece, min(piece.count, total - sent)))
      }
      close(writing)
    }
    sender.start()
    let taken = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var (count, isInOrder, expected) = (0, true, UInt8(0))
        while case .byte(let byte) = input.next() {
          expected = expected % 25 + 1
          isInOrder = isInOrder && byte == expected + UInt8(ascii: "a")
          count += 1
        }
        continuation.resume(returning: (count, isInOrder))
      }
    }
    close(reading)
    #expect(taken.0 == total && taken.1)
  }
}
