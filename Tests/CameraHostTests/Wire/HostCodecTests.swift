import Devices
import Foundation
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
      #expect(
        try HostCodec.decode(HostRequest.self, from: HostCodec.encode(request)) == request)
      #expect(try HostCodec.decode(HostReply.self, from: HostCodec.encode(reply)) == reply)
    }
  }

  @Test func `an invalid packet is an error`() {
    var random = RandomMessages(seed: Self.seed)
    var refused = 0
    for _ in 0..<2000 {
      let packet = random.bytes(count: Int.random(in: 0...300, using: &random.generator))
      do throws(HostCodec.Malformed) {
        _ = try HostCodec.decode(HostReply.self, from: packet)
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
      var packet = try HostCodec.encode(random.reply())
      for _ in 0..<Int.random(in: 1...4, using: &random.generator) {
        let place = Int.random(in: 0..<packet.count, using: &random.generator)
        switch Int.random(in: 0..<3, using: &random.generator) {
        case 0: packet[place] = UInt8.random(in: 0...255, using: &random.generator)
        case 1 where packet.count > 1: packet.remove(at: place)
        default: packet.insert(UInt8.random(in: 32...126, using: &random.generator), at: place)
        }
      }
      do throws(HostCodec.Malformed) {
        let reply = try HostCodec.decode(HostReply.self, from: packet)
        let again = try HostCodec.encode(reply)
        #expect(try HostCodec.decode(HostReply.self, from: again) == reply)
      } catch {
        refused += 1
        #expect(error.description.hasSuffix("is no message"))
      }
    }
    #expect(refused > 1000)
  }

  @Test func `numbers that are not finite arrive too`() throws {
    var info = FrameInfo(id: .max, sequence: .max, timestamp: MonotonicInstant(nanoseconds: .min))
    info.analogueGain = .infinity
    info.digitalGain = -.infinity
    let reply = HostReply.event(stream: 1, .frame(info))
    #expect(try HostCodec.decode(HostReply.self, from: HostCodec.encode(reply)) == reply)
    info.lensPosition = .nan
    let packet = try HostCodec.encode(HostReply.event(stream: 1, .frame(info)))
    guard
      case .event(_, .frame(let arrived)) = try HostCodec.decode(HostReply.self, from: packet)
    else {
      Issue.record("another message arrived")
      return
    }
    #expect(arrived.lensPosition?.isNaN == true)
  }

  @Test func `a message that is too long is an error`() {
    let long = String(repeating: "x", count: HostCodec.maximumBytes)
    let error = #expect(throws: HostCodec.Malformed.self) {
      try HostCodec.encode(HostRequest.call(id: 1, .open(id: long)))
    }
    #expect(error?.description.hasSuffix("\(HostCodec.maximumBytes) are the limit") == true)
    let packet = Data(repeating: 32, count: HostCodec.maximumBytes + 1)
    #expect(throws: HostCodec.Malformed.self) {
      try HostCodec.decode(HostReply.self, from: packet)
    }
  }
}
