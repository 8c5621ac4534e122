import Testing

@testable import CameraHost

@Suite struct HostOutboxTests {
  private func frame(_ number: Int) -> HostOutbox.Packet {
    HostOutbox.Packet(bytes: bytes(number), isFrame: true)
  }

  private func answer(_ number: Int) -> HostOutbox.Packet {
    HostOutbox.Packet(bytes: bytes(number), isFrame: false)
  }

  private func bytes(_ number: Int) -> [UInt8] { [UInt8(number / 256), UInt8(number % 256)] }

  private func takeAll(of outbox: inout HostOutbox) -> [Int] {
    var numbers: [Int] = []
    while let packet = outbox.next() {
      numbers.append(Int(packet.bytes[0]) * 256 + Int(packet.bytes[1]))
    }
    return numbers
  }

  @Test func `packets leave in their order`() {
    var outbox = HostOutbox()
    for number in 0..<20 {
      _ = outbox.add(number % 3 == 0 ? answer(number) : frame(number))
    }
    #expect(takeAll(of: &outbox) == Array(0..<20))
  }

  @Test func `a single writer is started until all is written`() {
    var outbox = HostOutbox()
    #expect(outbox.isEmpty)
    let (first, second) = (outbox.add(frame(1)), outbox.add(frame(2)))
    #expect(first && !second)
    #expect(!outbox.isEmpty)
    _ = outbox.next()
    _ = outbox.next()
    // The last packet is being written until the writer asks for another.
    #expect(!outbox.isEmpty)
    let third = outbox.add(frame(3))
    #expect(!third)
    #expect(takeAll(of: &outbox) == [3])
    #expect(outbox.isEmpty)
    let again = outbox.add(frame(4))
    #expect(again)
  }

  @Test func `the newest frames and all other packets are kept`() {
    var outbox = HostOutbox()
    let limit = HostOutbox.maximumFrames
    _ = outbox.add(answer(0))
    for number in 1...(limit + 10) { _ = outbox.add(frame(number)) }
    _ = outbox.add(answer(limit + 11))
    #expect(takeAll(of: &outbox) == [0] + (11...(limit + 11)))
    for number in 0..<limit { _ = outbox.add(frame(number)) }
    #expect(takeAll(of: &outbox).count == limit)
  }
}
