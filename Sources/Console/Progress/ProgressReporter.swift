public import Devices
import Synchronization

/// Shows how far something long is, where the command's output can show it.
public final class ProgressReporter: Sendable {
  private let bar: Mutex<ProgressBar>
  private let output: any CommandOutput
  private let clock: any MonotonicClock

  /// Begins to show progress.
  ///
  /// - Parameters:
  ///   - label: what is being done, in a few words.
  ///   - total: how much there is; `nil` when nobody knows.
  ///   - pace: the time between two drawings of a bar at least.
  public init(
    _ label: String, total: Int64?, unit: ProgressBar.Unit, on output: any CommandOutput,
    pace: Duration = ProgressBar.drawInterval, clock: any MonotonicClock = SystemMonotonicClock()
  ) {
    self.output = output
    self.clock = clock
    bar = Mutex(
      ProgressBar(
        label, total: total, unit: unit, style: output.progressStyle, width: output.width,
        pace: pace, now: clock.now))
  }

  /// Notes how much is done; from any thread.
  public func advance(to done: Int64) {
    let now = clock.now
    if let text = bar.withLock({ $0.advance(to: done, at: now) }) { output.progress(text) }
  }

  /// Takes the bar away, because it is done or has failed.
  public func end() { output.progress(nil) }
}
