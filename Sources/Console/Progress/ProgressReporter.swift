package import Devices
import Synchronization

/// A reporter of the progress of something lengthy, for outputs that can show it.
package final class ProgressReporter: Sendable {
  private let bar: Mutex<ProgressBar>
  private let output: any CommandOutput
  private let clock: any MonotonicClock

  /// Starts to show progress.
  ///
  /// - Parameters:
  ///   - label: the name of the work in a few words.
  ///   - total: the total amount; `nil` if unknown.
  ///   - pace: the least time between two drawings of a bar.
  package init(
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

  /// Notes the amount done; callable from any thread.
  ///
  /// - Parameter total: the total amount as it is known now; `nil` if nothing new is known.
  package func advance(to done: Int64, of total: Int64? = nil) {
    let now = clock.now
    if let text = bar.withLock({ $0.advance(to: done, of: total, at: now) }) {
      output.progress(text)
    }
  }

  /// Removes the bar after the end or a failure.
  package func end() { output.progress(nil) }
}
