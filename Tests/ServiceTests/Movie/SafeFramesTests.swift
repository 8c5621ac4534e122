import Devices
import TestSupport
import Testing

@testable import Service

@Suite struct SafeFramesTests {
  @Test func `frames count when they are before a mark`() {
    var frames = SafeFrames()
    #expect(frames.count == 0 && frames.duration == .zero)
    for time in [100, 140, 170, 210] { frames.take(instant(time)) }
    frames.note(safeBefore: instant(100))
    #expect(frames.count == 0 && frames.duration == .zero)
    frames.note(safeBefore: instant(170))
    #expect(frames.count == 2 && frames.duration == .milliseconds(70))
    frames.note(safeBefore: instant(170))
    #expect(frames.count == 2)
    frames.note(safeBefore: instant(250))
    #expect(frames.count == 4 && frames.takenCount == 4)
    #expect(frames.duration == .milliseconds(150))
  }
}
