import Devices
import TestSupport
import Testing

@testable import CameraHost

/// Every message arrives as it was sent, and any other packet is an error.
@Suite struct HostCodecTests {
  private static let seed = TestSeed.value

  @Test func `messages arrive as they were sent`() throws {
    print("figure: messages of a camera process with seed \(Self.seed)")
    var random = RandomMessages(seed: Self.seed)
    for _ in 0..<2000 {
      let request = random.request()
      let reply = random.reply()
      #expect(try HostCodec.request(in: HostCodec.packet(of: request)[...]) == request)
      #expect(try HostCodec.reply(in: HostCodec.packet(of: reply)) == reply)
    }
  }

  @Test func `an invalid packet is an error`() {
    var random = RandomMessages(seed: Self.seed)
    var refused = 0
    for _ in 0..<2000 {
      let packet = random.bytes(count: Int.random(in: 0...300, using: &random.generator))
      do throws(HostCodec.Malformed) {
        _ = try HostCodec.reply(in: packet[...])
      } catch {
        refused += 1
      }
    }
    #expect(refused == 2000)
  }

  /// A packet with changed, missing and added bytes is an error or another valid message.
  ///
  /// The other message can be encoded again, and never ends the process.
  @Test func `a changed message is an error or another message`() throws {
    var random = RandomMessages(seed: Self.seed)
    var refused = 0
    for _ in 0..<3000 {
      var packet = try HostCodec.packet(of: random.reply())
      for _ in 0..<Int.random(in: 1...4, using: &random.generator) {
        let place = Int.random(in: packet.indices, using: &random.generator)
        switch Int.random(in: 0..<3, using: &random.generator) {
        case 0: packet[place] = UInt8.random(in: 0...255, using: &random.generator)
        case 1 where packet.count > 1: packet.remove(at: place)
        default: packet.insert(UInt8.random(in: 32...126, using: &random.generator), at: place)
        }
      }
      do throws(HostCodec.Malformed) {
        let reply = try HostCodec.reply(in: packet)
        let again = try HostCodec.reply(in: HostCodec.packet(of: reply))
        // A number may have become one that differs from itself.
        #expect(again == reply || "\(again)" == "\(reply)")
      } catch {
        refused += 1
        #expect(
          error.description.hasSuffix("is no message")
            || error.description.hasPrefix("a frame's event "))
      }
    }
    #expect(refused > 1000)
  }

  @Test func `numbers that are not finite arrive too`() throws {
    var info = FrameInfo(id: .max, sequence: .max, timestamp: MonotonicInstant(nanoseconds: .min))
    info.analogueGain = .infinity
    info.digitalGain = -.infinity
    info.lensPosition = .nan
    guard
      case .event(1, .frame(let arrived)) = try HostCodec.reply(
        in: HostCodec.packet(of: .event(stream: 1, .frame(info))))
    else {
      Issue.record("another message arrived")
      return
    }
    #expect(arrived.analogueGain == .infinity)
    #expect(arrived.digitalGain == -.infinity)
    #expect(arrived.lensPosition?.isNaN == true)

    let request = HostRequest.call(id: 1, .setFrameRate(camera: 1, frameRate: .infinity))
    #expect(try HostCodec.request(in: HostCodec.packet(of: request)[...]) == request)
  }

  @Test func `a message that is too long is an error`() {
    let long = String(repeating: "x", count: HostCodec.maximumBytes)
    let error = #expect(throws: HostCodec.Malformed.self) {
      try HostCodec.packet(of: HostRequest.call(id: 1, .open(id: long)))
    }
    #expect(error?.description.hasSuffix("\(HostCodec.maximumBytes) are the limit") == true)
    #expect(throws: HostCodec.Malformed.self) {
      try HostCodec.reply(in: ArraySlice(repeating: 32, count: HostCodec.maximumBytes + 1))
    }
  }
}

extension HostCodec {
  /// Makes the packet of a reply.
  static func packet(of reply: HostReply) throws(Malformed) -> ArraySlice<UInt8> {
    var packet: [UInt8] = []
    try write(reply, to: &packet)
    return packet[...]
  }
}
