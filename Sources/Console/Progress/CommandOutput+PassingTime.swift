package import Devices

extension CommandOutput {
  /// Runs lengthy work and shows the elapsed time on a terminal.
  ///
  /// The display is removed at the end. Without a viewer, nothing is shown.
  ///
  /// - Parameters:
  ///   - label: the name of the work in a few words.
  ///   - limit: the expected or maximum duration; `nil` if unknown.
  ///   - clock: the clock that measures the time.
  ///   - work: the work.
  /// - Throws: the errors of the work.
  package func passingTime<Value, Failure: Error>(
    _ label: String, limit: Duration? = nil, clock: any MonotonicClock = SystemMonotonicClock(),
    _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    guard isWatched else { return try await work() }
    let second = Duration.seconds(1)
    let began = clock.now
    let progress = ProgressReporter(
      label, total: limit?.components.seconds, unit: .seconds, on: self, pace: second, clock: clock)
    let ticks = Task {
      while !Task.isCancelled {
        // The display shows the seconds that pass.
        do { try await clock.sleep(for: second) } catch { return }
        progress.advance(to: began.duration(to: clock.now).components.seconds)
      }
    }
    let result: Result<Value, Failure>
    do throws(Failure) {
      result = .success(try await work())
    } catch {
      result = .failure(error)
    }
    ticks.cancel()
    // The last display must not follow the end.
    await ticks.value
    progress.end()
    return try result.get()
  }
}
