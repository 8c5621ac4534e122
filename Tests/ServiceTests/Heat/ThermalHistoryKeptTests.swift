import Capture
import Devices
import Foundation
import Testing

@testable import Service

/// The history over restarts of the service and of the machine.
@Suite struct ThermalHistoryKeptTests {
  private static let minute = Int64(60_000_000_000)

  private func sample(
    _ minute: Int64, _ celsius: [String: Double], _ state: ThermalState = .nominal,
    _ flags: ThrottleFlags = []
  ) -> ThermalHistory.Sample {
    ThermalHistory.Sample(
      start: MonotonicInstant(nanoseconds: minute * Self.minute), celsius: celsius, state: state,
      flags: flags)
  }

  /// Returns a moment in minutes; the wall clock is not known without one.
  private func moment(_ boot: String?, _ minute: Int64, wall: Int64? = nil) -> BootMoment {
    BootMoment(
      bootID: boot, monotonicNanoseconds: minute * Self.minute,
      wallNanoseconds: wall.map { $0 * Self.minute })
  }

  private func history(_ samples: [ThermalHistory.Sample]) -> ThermalHistory {
    var history = ThermalHistory()
    history.samples = samples
    return history
  }

  /// Restores into a history of samples; returns whether that is done, and the samples then.
  private func restore(
    _ kept: ThermalHistory.Kept, into samples: [ThermalHistory.Sample] = [], at now: BootMoment
  ) -> (isDone: Bool, samples: [ThermalHistory.Sample]) {
    var history = history(samples)
    let isDone = history.restore(kept, at: now)
    return (isDone, history.samples)
  }

  /// Returns a history that has passed through its file's form.
  private func read(_ kept: ThermalHistory.Kept) throws -> ThermalHistory.Kept {
    try JSONDecoder().decode(ThermalHistory.Kept.self, from: try JSONEncoder().encode(kept))
  }

  @Test func `a restart of the service loses nothing`() throws {
    let before = [
      sample(100, ["cpu": 48.1]),
      sample(101, ["cpu": 72.5, "case": -3.2], .serious, [.throttled, .undervoltage]),
      sample(103, ["cpu": 51]),
    ]
    let kept = try read(history(before).kept(at: moment("a", 103)))
    let next = restore(kept, at: moment("a", 104))
    #expect(next.isDone && next.samples == before)
    // The minute of the restart has readings of both runs.
    let both = restore(
      kept, into: [sample(103, ["cpu": 50], .fair, .throttled), sample(104, ["cpu": 40])],
      at: moment("a", 104))
    #expect(both.isDone && Array(both.samples.prefix(2)) == Array(before.prefix(2)))
    #expect(
      Array(both.samples.dropFirst(2)) == [
        sample(103, ["cpu": 51], .fair, .throttled), sample(104, ["cpu": 40]),
      ])
  }

  @Test func `a reboot moves the times by the wall clock`() throws {
    let kept = try read(
      history([sample(100, ["cpu": 48]), sample(500, ["cpu": 49])])
        .kept(at: moment("a", 500, wall: 10_500)))
    let live = [sample(3, ["cpu": 40])]
    // The clock is not synchronized yet.
    let early = restore(kept, into: live, at: moment("b", 2))
    #expect(!early.isDone && early.samples == live)
    let next = restore(kept, into: live, at: moment("b", 4, wall: 10_514))
    #expect(
      next.isDone
        && next.samples == [
          sample(-410, ["cpu": 48]), sample(-10, ["cpu": 49]), sample(3, ["cpu": 40]),
        ])
    // A fraction of a minute is rounded down, also before the boot.
    var now = moment("b", 4, wall: 10_514)
    now.monotonicNanoseconds -= 1
    let late = restore(kept, at: now)
    #expect(late.samples.map(\.start) == [sample(-411, [:]).start, sample(-11, [:]).start])
  }

  @Test func `times that nobody knows are not restored`() {
    let kept = history([sample(100, ["cpu": 48])]).kept(at: moment("a", 100))
    for now in [moment("b", 4), moment("b", 4, wall: 200), moment(nil, 101, wall: 200)] {
      let next = restore(kept, at: now)
      #expect(next.isDone && next.samples.isEmpty)
    }
  }

  @Test func `only the last day is restored`() {
    let kept = history((0..<1440).map { sample($0, ["cpu": 48]) }).kept(at: moment("a", 1439))
    let next = restore(kept, at: moment("a", 2000))
    #expect(next.samples.first?.start == sample(561, [:]).start)
    #expect(next.samples.count == 1440 - 561)
    // A clock that was put back would make the past the future.
    let early = restore(kept, at: moment("a", 10))
    #expect(early.samples.count == 11)
  }

  @Test func `a damaged row is left out`() {
    let rows: [[Int?]] = [
      [], [nil, 0, 0, 480], [100, 9, 0, 480], [100, 0, -1, 480], [100, 0, 0],
      [Int.max, 0, 0, 480], [Int.min, 0, 0, 480], [101, nil, 0, 480], [102, 0, 0, Int.max],
      [102, 0, 0, nil],
    ]
    let kept = ThermalHistory.Kept(
      written: BootMoment(
        bootID: "a", monotonicNanoseconds: .min, wallNanoseconds: .max), zones: ["cpu"], rows: rows)
    let next = restore(kept, at: moment("a", 200))
    #expect(next.isDone && next.samples.map(\.start) == [sample(102, [:]).start])
    let other = restore(kept, at: moment("b", 200, wall: 200))
    #expect(other.isDone && other.samples.isEmpty)
  }
}
