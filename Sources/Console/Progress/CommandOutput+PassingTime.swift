public import Devices

extension CommandOutput {
  /// Does something that takes a while, and shows on a terminal for how long it has gone on.
  ///
  /// What was shown is taken away at the end. Where nobody looks nothing is shown.
  ///
  /// - Parameters:
  ///   - label: what is being done, in a few words.
  ///   - limit: how long it takes or may take at most; `nil` when nobody knows.
  ///   - clock: what the time is measured by.
  ///   - work: what is done.
  /// - Throws: what the work throws.
  public func passingTime<Value, Failure: Error>(
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
    // What is shown last must not come after the end.
    await ticks.value
    progress.end()
    return try result.get()
  }
}
