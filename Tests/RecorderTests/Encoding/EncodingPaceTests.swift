import Devices
import Testing

@testable import RecorderProgram

@Suite struct EncodingPaceTests {
  /// Notes frames of equal times, and returns the sentences.
  private func note(
    _ milliseconds: Int, _ count: Int, _ pace: inout EncodingPace, every gap: Int = 0,
    refusing refused: Set<EncodingPace.Preset> = []
  ) -> [String] {
    (0..<count).compactMap { _ in
      pace.note(.milliseconds(milliseconds), after: .milliseconds(gap)) {
        !refused.contains($0)
      }
    }
  }

  @Test func `a preset that keeps pace stays`() {
    var pace = EncodingPace(interval: .milliseconds(33))
    #expect(note(26, 1000, &pace).isEmpty)
    #expect(pace.preset == .veryfast)
  }

  @Test func `a hot rig, whose frames come less often, keeps its preset`() {
    var pace = EncodingPace(interval: .milliseconds(33))
    #expect(note(50, 1000, &pace, every: 200).isEmpty)
    #expect(pace.preset == .veryfast)
  }

  @Test func `a preset that takes too long is lowered step by step, with a reason`() {
    var pace = EncodingPace(interval: .milliseconds(40))
    #expect(
      note(50, EncodingPace.frameCount, &pace) == [
        "The preset \"veryfast\" takes 50.0 ms a frame, and a frame comes every 40.0 ms: the "
          + "recording goes on with \"superfast\"."
      ])
    #expect(pace.preset == .superfast)
    #expect(note(50, EncodingPace.frameCount, &pace).count == 1)
    #expect(pace.preset == .ultrafast)
    #expect(note(50, 1000, &pace).isEmpty)
  }

  @Test func `a preset that cannot go on in the file is passed over`() {
    var pace = EncodingPace(interval: .milliseconds(40))
    let sentences = note(50, 1000, &pace, refusing: [.superfast])
    #expect(sentences.count == 1)
    #expect(sentences.first?.hasSuffix("the recording goes on with \"ultrafast\".") == true)
    #expect(pace.preset == .ultrafast)
  }

  @Test func `a recording that no faster preset can go on with says so once`() {
    var pace = EncodingPace(interval: .milliseconds(40))
    #expect(
      note(50, 1000, &pace, refusing: [.superfast, .ultrafast]) == [
        "The preset \"veryfast\" takes 50.0 ms a frame, and a frame comes every 40.0 ms: no faster "
          + "preset can go on in the same file, so frames may be dropped."
      ])
    #expect(pace.preset == .veryfast)
  }

  @Test func `a single slow frame changes nothing`() {
    var pace = EncodingPace(interval: .milliseconds(33))
    #expect(note(200, 1, &pace).isEmpty)
    #expect(note(5, 1000, &pace).isEmpty)
  }
}

@Suite struct FragmentScheduleTests {
  private func beginnings(_ times: [Int64]) -> [Int64] {
    var schedule = FragmentSchedule()
    return times.filter { schedule.begins(at: $0) }
  }

  @Test func `regular frames make fragments of one second`() {
    let times = (0..<100).map { Int64($0) * 40_000 }
    #expect(beginnings(times) == [0, 1_000_000, 2_000_000, 3_000_000])
  }

  @Test func `a frame that the next would make too late begins a fragment`() {
    #expect(beginnings([0, 300_000, 600_000, 900_000, 1_200_000]) == [0, 900_000])
  }

  @Test func `rare frames are fragments of their own`() {
    #expect(beginnings([0, 5_000_000, 10_000_000]) == [0, 5_000_000, 10_000_000])
  }
}
