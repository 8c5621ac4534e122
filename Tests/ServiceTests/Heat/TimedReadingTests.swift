import Devices
import Synchronization
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(5))) struct TimedReadingTests {
  private let clock = ManualClock()
  private let round: ReadingRound

  init() {
    round = ReadingRound(clock: clock)
  }

  private func reading(of device: SlowDevice) -> TimedReading<Int> {
    TimedReading(of: "zone", in: round) { () throws(DeviceError) in await device.read() }
  }

  /// Makes a round of readings and returns their results.
  private func read(_ readings: TimedReading<Int>...) async -> [Result<Int, DeviceError>] {
    round.begin()
    for reading in readings { reading.ask() }
    await round.end()
    return readings.map(\.result)
  }

  private func codes(of results: [Result<Int, DeviceError>]) -> [DeviceError.Code?] {
    results.map { result in
      if case .failure(let error) = result { error.code } else { nil }
    }
  }

  @Test func `devices in time are read once a round`() async {
    let (one, other) = (SlowDevice(), SlowDevice())
    one.answer()
    other.answer()
    let (first, second) = (reading(of: one), reading(of: other))
    for number in 1...100 {
      #expect(await read(first, second) == [.success(number), .success(number)])
      #expect(round.openCount == 0)
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a device that hangs ends its round after the limit and is asked no more`()
    async throws
  {
    let (hanging, healthy) = (SlowDevice(), SlowDevice())
    healthy.answer()
    let (first, second) = (reading(of: hanging), reading(of: healthy))
    let opening = Task { await read(first, second) }
    await clock.untilSleepers(1)
    #expect(clock.sleeperCount == 1, "all devices share one sleep")
    #expect(clock.nextDeadline == clock.now.advanced(by: ReadingRound.limit))
    try await eventually { round.openCount == 1 }
    clock.advance(by: ReadingRound.limit)
    let results = await opening.value
    #expect(codes(of: results) == [.timedOut, nil])
    #expect(results.last == .success(1))
    for number in 2...5 {
      let results = await read(first, second)
      #expect(codes(of: results) == [.timedOut, nil])
      #expect(results.last == .success(number))
    }
    #expect(hanging.readCount == 1)
    hanging.answer()
    var found: [Result<Int, DeviceError>] = []
    try await eventually {
      found = await read(first)
      return codes(of: found) != [.timedOut]
    }
    #expect(found == [.success(2)], "the late answer is thrown away")
  }

  @Test func `a late answer does not end a later round`() {
    round.begin()
    let old = round.asked()
    round.begin()
    let new = round.asked()
    round.answered(old)
    #expect(round.openCount == 1)
    round.answered(new)
    #expect(round.openCount == 0)
  }

  @Test func `the reading task ends with its reading`() async {
    let mailbox = ReadingMailbox<Int>()
    mailbox.ask(in: round)
    let number = await mailbox.nextQuestion()
    #expect(number == round.number)
    let waiting = Task { await mailbox.nextQuestion() }
    mailbox.close()
    #expect(await waiting.value == nil)
  }
}

/// A device that answers with the number of the reading once it may answer.
private final class SlowDevice: Sendable {
  private struct State {
    var mayAnswer = false
    var readCount = 0
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  var readCount: Int { state.withLock { $0.readCount } }

  /// Answers the reading that waits and all later ones.
  func answer() {
    let waiting = state.withLock { state in
      state.mayAnswer = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  func read() async -> Int {
    let number = state.withLock { state in
      state.readCount += 1
      return state.readCount
    }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let mayAnswer = state.withLock { state in
        if !state.mayAnswer { state.waiting = continuation }
        return state.mayAnswer
      }
      if mayAnswer { continuation.resume() }
    }
    return number
  }
}
