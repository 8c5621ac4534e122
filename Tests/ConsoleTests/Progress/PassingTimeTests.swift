import Devices
import TestSupport
import Testing

@testable import Console

/// The display of work without a known progress.
@Suite(.timeLimit(.minutes(10))) struct PassingTimeTests {
  private struct Failure: Error, Equatable {}

  private let clock = ManualClock()

  /// Runs work for some seconds.
  ///
  /// - Returns: the shown texts.
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

  @Test func `each second is shown and erased at the end`() async {
    let texts = await shown(.inPlace(bitsPerSecond: nil), seconds: 3)
    #expect(texts == ["calibrating  1 s", "calibrating  2 s", "calibrating  3 s", nil])
  }

  @Test func `work with a known end is a bar`() async {
    let texts = await shown(.inPlace(bitsPerSecond: 115_200), limit: .seconds(4), seconds: 2)
    #expect(texts.count == 3)
    #expect(texts[1]?.hasSuffix("]  50%  2 s of 4 s") == true, "\(texts)")
  }

  /// A line that cannot be overwritten is not filled with progress.
  @Test func `a dumb terminal gets few lines`() async {
    let texts = await shown(.lines, seconds: 11)
    #expect(texts == ["calibrating  5 s", "calibrating  10 s", nil])
  }

  @Test func `a slow line gets even fewer texts`() async {
    let texts = await shown(.inPlace(bitsPerSecond: 1200), seconds: 20)
    #expect((2...4).contains(texts.count), "\(texts)")
  }

  @Test func `short work is not shown`() async {
    let texts = await shown(.inPlace(bitsPerSecond: nil), seconds: 0)
    #expect(texts == [nil])
  }

  @Test(arguments: [ProgressBar.Style.lines, .inPlace(bitsPerSecond: nil), .none])
  func `no progress is shown to a program`(_ style: ProgressBar.Style) async {
    let output = ProgressOutput(style, isWatched: false)
    let sleepers = await output.passingTime("calibrating", clock: clock) { clock.sleeperCount }
    #expect(sleepers == 0 && output.texts.isEmpty)
  }

  @Test func `a failure erases the text`() async {
    let output = ProgressOutput(.inPlace(bitsPerSecond: nil))
    await #expect(throws: Failure()) {
      try await output.passingTime("calibrating", clock: clock) { () throws(Failure) in
        throw Failure()
      }
    }
    #expect(output.texts == [nil] && clock.sleeperCount == 0)
  }

  /// A program that reads JSON needs no guide.
  @Test func `a silent guide shows no text`() async throws {
    for isSilent in [true, false] {
      let output = ProgressOutput(.inPlace(bitsPerSecond: nil))
      let guide = TestGuide(output, isSilent: isSilent)
      let answer = try await guide.wait("measuring", seconds: 3) { () throws(RigClientError) in 7 }
      // A busy machine may take a second, which is then shown.
      #expect(answer == 7 && output.texts.isEmpty == isSilent)
      #expect(isSilent || output.texts.last == .some(nil))
    }
  }
}
