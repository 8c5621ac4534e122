import Devices
import SimulatedDevices
import Testing

@testable import Console

/// What is shown of something of which nobody knows how far it is.
@Suite(.timeLimit(.minutes(10))) struct PassingTimeTests {
  private struct Failure: Error, Equatable {}

  private let clock = ManualClock()

  /// Lets something take a while, second by second.
  ///
  /// - Returns: what was shown.
  private func shown(
    _ style: ProgressBar.Style, limit: Duration? = nil, seconds: Int
  ) async -> [String?] {
    let output = ProgressOutput(style)
    let (end, ending) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [clock] in
      await output.passingTime("calibrating", limit: limit, clock: clock) { for await _ in end {} }
    }
    for _ in 0..<seconds {
      await clock.untilSleepers(1)
      clock.advance(by: .seconds(1))
    }
    await clock.untilSleepers(1)
    ending.finish()
    await task.value
    #expect(clock.sleeperCount == 0)
    return output.texts
  }

  @Test func eachSecondIsShownAndTakenAwayAtTheEnd() async {
    let texts = await shown(.inPlace(bitsPerSecond: nil), seconds: 3)
    #expect(texts == ["calibrating  1 s", "calibrating  2 s", "calibrating  3 s", nil])
  }

  @Test func whereTheEndIsKnownItIsABar() async {
    let texts = await shown(.inPlace(bitsPerSecond: 115_200), limit: .seconds(4), seconds: 2)
    #expect(texts.count == 3)
    #expect(texts[1]?.hasSuffix("]  50%  2 s of 4 s") == true, "\(texts)")
  }

  /// A line that cannot be written over is not filled with them.
  @Test func onADumbTerminalThereAreFewLines() async {
    let texts = await shown(.lines, seconds: 11)
    #expect(texts == ["calibrating  5 s", "calibrating  10 s", nil])
  }

  @Test func onASlowLineThereAreFewerStill() async {
    let texts = await shown(.inPlace(bitsPerSecond: 1200), seconds: 20)
    #expect((2...4).contains(texts.count), "\(texts)")
  }

  @Test func whatIsShortIsNotShown() async {
    let texts = await shown(.inPlace(bitsPerSecond: nil), seconds: 0)
    #expect(texts == [nil])
  }

  @Test(arguments: [ProgressBar.Style.lines, .inPlace(bitsPerSecond: nil), .none])
  func whereNobodyLooksNothingIsShown(_ style: ProgressBar.Style) async {
    let output = ProgressOutput(style, isWatched: false)
    let sleepers = await output.passingTime("calibrating", clock: clock) { clock.sleeperCount }
    #expect(sleepers == 0 && output.texts.isEmpty)
  }

  @Test func aFailureTakesItAway() async {
    let output = ProgressOutput(.inPlace(bitsPerSecond: nil))
    await #expect(throws: Failure()) {
      try await output.passingTime("calibrating", clock: clock) { () throws(Failure) in
        throw Failure()
      }
    }
    #expect(output.texts == [nil] && clock.sleeperCount == 0)
  }

  /// A program that reads JSON is led nowhere.
  @Test func aSilentGuideShowsNothing() async throws {
    for isSilent in [true, false] {
      let output = ProgressOutput(.inPlace(bitsPerSecond: nil))
      let guide = TestGuide(output, isSilent: isSilent)
      let answer = try await guide.wait("measuring", seconds: 3) { () throws(RigClientError) in 7 }
      // A busy machine may take a second for it, which then is shown.
      #expect(answer == 7 && output.texts.isEmpty == isSilent)
      #expect(isSilent || output.texts.last == .some(nil))
    }
  }
}
