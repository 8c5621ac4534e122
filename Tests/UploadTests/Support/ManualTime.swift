import Devices
import Synchronization
import TestSupport

@testable import Upload

/// The clocks of an uploader, which stand still until a test moves them.
final class ManualTime: Sendable {
  private struct State {
    var isSleepEndless = false
    var localTime: LocalTime?
  }

  private static let boot = MonotonicInstant(nanoseconds: 0)

  /// A stream with an element whenever a sleep begins.
  let sleeps: AsyncStream<Void>
  private let report: AsyncStream<Void>.Continuation
  private let clock = ManualClock()
  private let state = Mutex(State())

  init() {
    (sleeps, report) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  /// Whether the latest sleep has no end.
  var isSleepEndless: Bool { state.withLock { $0.isSleepEndless } }

  /// The wall clock's local time, if the clock is trusted.
  var localTime: LocalTime? {
    get { state.withLock { $0.localTime } }
    set { state.withLock { $0.localTime = newValue } }
  }

  /// The clocks for an uploader.
  var uploadTime: UploadTime {
    UploadTime(
      now: { Self.boot.duration(to: self.clock.now) },
      sleep: { await self.sleep(until: $0, or: $1) },
      wallNanoseconds: { 1_700_000_000_000_000_000 }, localTime: { self.localTime })
  }

  /// Moves the clock and wakes the sleepers whose time has come.
  func advance(by duration: Duration) { clock.advance(by: duration) }

  private func sleep(until end: Duration?, or signal: WakeSignal) async {
    let deadline = end.map { Self.boot.advanced(by: $0) } ?? MonotonicInstant(nanoseconds: .max)
    if deadline > clock.now {
      state.withLock { $0.isSleepEndless = end == nil }
      // A test may move the clock before the sleep begins, which then ends in time all the same.
      report.yield(())
    }
    await clock.sleep(until: deadline, or: signal)
  }
}
