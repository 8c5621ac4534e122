import Devices
import TestSupport
import Testing

@testable import CameraHost

/// The event of a frame keeps all of the frame's fields, and a damaged one is an error.
@Suite struct FrameEventPacketTests {
  private static let seed = TestSeed.value

  /// A frame in which every field differs from a blank one.
  private static let full: FrameInfo = {
    var frame = FrameInfo(
      id: 1, sequence: 2, timestamp: MonotonicInstant(nanoseconds: -3),
      exposureDuration: .milliseconds(4), readoutDuration: .milliseconds(-5),
      frameDuration: Duration.seconds(1) / 3, analogueGain: 6.5, digitalGain: 7, lensPosition: 0,
      exposureState: .locked, whiteBalanceState: .searching,
      whiteBalanceGains: WhiteBalanceGains(red: 8, blue: 9), colorTemperature: 10,
      focusState: .failed,
      crop: SensorRegion(left: 11, top: 12, size: FrameSize(width: 13, height: 14)),
      videoZoomFactor: 15)
    frame.isTimestampKnown = false
    return frame
  }()

  private func packet(_ info: FrameInfo, stream: Int = 1) throws -> ArraySlice<UInt8> {
    try HostCodec.packet(of: .event(stream: stream, .frame(info)))
  }

  private func problem(of packet: ArraySlice<UInt8>) -> String? {
    do throws(HostCodec.Malformed) {
      _ = try FrameEventPacket(packet)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `every field of a frame arrives`() throws {
    let fields = Mirror(reflecting: Self.full).children
    for (field, blank) in zip(fields, Mirror(reflecting: FrameInfo.blank).children) {
      #expect(
        String(describing: field.value) != String(describing: blank.value),
        "the frame of this test needs a value of \(field.label ?? "a field")")
    }
    let arrived = try FrameEventPacket(packet(Self.full, stream: .max))
    #expect(arrived.info == Self.full)
    #expect(arrived.stream == .max)
    #expect(try FrameEventPacket(packet(.blank)).info == .blank)
  }

  @Test func `random frames arrive`() throws {
    print("figure: frames of a camera process with seed \(Self.seed)")
    var random = RandomMessages(seed: Self.seed)
    for _ in 0..<2000 {
      let frame = random.frame()
      #expect(try FrameEventPacket(packet(frame)).info == frame)
    }
  }

  @Test func `a packet of another length is an error`() throws {
    let whole = try packet(Self.full)
    for count in whole.indices {
      #expect(
        problem(of: whole.prefix(count)) == "a frame's event ends after \(count.counted("byte"))")
    }
    var long = whole
    long += [0, 0]
    #expect(problem(of: long) == "a frame's event has 2 bytes too many")
  }

  /// A changed byte gives an error or another frame, which can be sent in turn.
  @Test func `a changed byte never ends the process`() throws {
    let whole = try packet(Self.full)
    for place in whole.indices {
      for byte: UInt8 in [0, 1, 2, 3, 4, 127, 128, 255] {
        var changed = whole
        changed[place] = byte
        guard problem(of: changed) == nil else { continue }
        let event = try FrameEventPacket(changed)
        #expect(try packet(event.info, stream: event.stream) == changed)
      }
    }
  }

  @Test func `an unknown value is an error`() throws {
    let blank = try packet(.blank)
    // The flag is behind the tag and four numbers.
    let flag = 1 + 4 * 8
    var changed = blank
    changed[flag] = 2
    #expect(problem(of: changed) == "a frame's event has 2 in place of a number below 2")
    changed = blank
    changed[0] = 0x82
    #expect(problem(of: changed) == "a frame's event has the tag 130")
    changed = blank
    // The readout's part of a second is behind the flag, an absent exposure and the seconds.
    changed[flag + 2 + 8 + 7] = 0x7F
    #expect(problem(of: changed)?.hasSuffix("as the part of a second") == true)
  }

  @Test func `a frame's event needs no new memory`() throws {
    var packet: [UInt8] = []
    var places: Set<UInt> = []
    try HostCodec.write(.event(stream: 1, .frame(Self.full)), to: &packet)
    for _ in 0..<3 {
      try HostCodec.write(.event(stream: 1, .frame(Self.full)), to: &packet)
      places.insert(packet.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
    }
    #expect(places.count == 1)
    #expect(packet.count < 256)
  }
}
