import Capture
import Devices
import ServiceLifecycle

/// The service that keeps the heat of the last day over restarts.
///
/// The history is written at the end of the service and every ten minutes, which spares the card.
/// So a power cut costs ten minutes at most. After a reboot the earlier times are known only when
/// the wall clock is. Until then nothing is written, for a limited time.
struct ThermalHistoryService: Service {
  /// The time between two writes.
  static let interval = Duration.seconds(600)
  /// The time between two looks at the wall clock.
  static let tick = Duration.seconds(60)
  /// The longest wait for the wall clock.
  static let clockTimeout = Duration.seconds(1800)

  let file: ThermalHistoryFile
  let monitor: RigMonitor
  let clock: any MonotonicClock
  /// Returns the moment of an instant of the clock.
  let moment: @Sendable (MonotonicInstant) -> BootMoment

  func run() async throws {
    let earlier = await file.read()
    let isRestored = await cancelWhenGracefulShutdown { await follow(earlier) }
    if isRestored { await save() }
  }

  /// Restores and writes until the task is canceled; returns whether nothing is left to restore.
  private func follow(_ kept: ThermalHistory.Kept?) async -> Bool {
    var earlier = kept
    let start = clock.now
    var saved = start
    while true {
      let now = clock.now
      if let kept = earlier {
        let isDone = await monitor.restore(kept, at: moment(now))
        if isDone || start.duration(to: now) >= Self.clockTimeout { earlier = nil }
      }
      if earlier == nil, saved.duration(to: now) >= Self.interval {
        await save()
        saved = now
      }
      do { try await clock.sleep(for: Self.tick) } catch { return earlier == nil }
    }
  }

  private func save() async {
    let history = await monitor.thermalHistory
    guard !history.samples.isEmpty else { return }
    await file.write(history.kept(at: moment(clock.now)))
  }
}
