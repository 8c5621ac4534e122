import Devices

/// Asks somebody who may be kept waiting, and goes on without the answer after a while.
///
/// The question itself is not ended; its answer is thrown away when it comes late.
///
/// - Returns: the answer; `nil` when there was none in time.
func answer<Value: Sendable>(
  within patience: Duration, _ clock: any MonotonicClock,
  _ question: @escaping @Sendable () async -> Value?
) async -> Value? {
  let (answers, continuation) = AsyncStream.makeStream(of: Value?.self)
  Task { continuation.yield(await question()) }
  let waiting = Task {
    try? await clock.sleep(for: patience)
    continuation.yield(nil)
  }
  defer {
    waiting.cancel()
    continuation.finish()
  }
  for await first in answers { return first }
  return nil
}
