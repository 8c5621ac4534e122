import Devices
import Testing

@testable import CameraHost

@Suite struct HostReplyTimesTests {
  private static let century = Duration.seconds(100 * 365 * 86_400)

  private func frame(
    at nanoseconds: Int64 = 1_000_000_000, exposure: Duration = .milliseconds(20),
    readout: Duration = .milliseconds(30), frame: Duration = .seconds(1000)
  ) -> FrameInfo {
    FrameInfo(
      id: .max, sequence: .max, timestamp: MonotonicInstant(nanoseconds: nanoseconds),
      exposureDuration: exposure, readoutDuration: readout, frameDuration: frame)
  }

  private func isTaken(_ frame: FrameInfo) -> Bool {
    HostReply.event(stream: 1, .frame(frame)).hasPossibleTimes
  }

  @Test func `times of a camera are possible`() {
    #expect(isTaken(frame()))
    #expect(
      isTaken(FrameInfo(id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 0))))
    #expect(HostReply.answer(id: 1, .frameDuration(.seconds(1000))).hasPossibleTimes)
    #expect(HostReply.endOfStream(1).hasPossibleTimes)
  }

  @Test func `a time with which a calculation would overflow is impossible`() {
    #expect(!isTaken(frame(at: .min)))
    #expect(!isTaken(frame(at: .max)))
    #expect(!isTaken(frame(exposure: Self.century)))
    #expect(!isTaken(frame(exposure: .zero - Self.century)))
    #expect(!isTaken(frame(readout: Self.century)))
    #expect(!isTaken(frame(frame: Self.century)))
    #expect(!HostReply.answer(id: 1, .frameDuration(Self.century)).hasPossibleTimes)
  }

  @Test func `the times of a lease and of a stream count too`() {
    let format = StreamFormat(
      size: FrameSize(width: 1, height: 1), pixelFormat: .rgb, bytesPerRow: 3,
      colorSpace: .unspecified)
    for (exposure, isPossible) in [(Duration.milliseconds(20), true), (Self.century, false)] {
      let lease = HostedLease(
        lease: 1, info: frame(exposure: exposure), format: format, buffer: 0, offset: 0,
        byteCount: 3)
      #expect(HostReply.answer(id: 1, .lease(lease)).hasPossibleTimes == isPossible)
      let resolved = ResolvedStreamConfiguration(
        format: format, bufferCount: 4, leasedFrameCount: 1, frameDuration: exposure,
        readoutDuration: .zero, adjustments: [])
      #expect(HostReply.answer(id: 1, .resolved(resolved)).hasPossibleTimes == isPossible)
    }
  }
}
