/// Returns the answer to a question, or `nil` if none comes within a time limit.
///
/// The question itself is not canceled. A late answer is discarded.
///
/// - Returns: the answer; `nil` after a timeout.
package func answer<Value: Sendable>(
  within timeout: Duration, _ clock: any MonotonicClock,
  _ question: @escaping @Sendable () async -> Value?
) async -> Value? {
  let (answers, continuation) = AsyncStream.makeStream(of: Value?.self)
  Task { continuation.yield(await question()) }
  let waiting = Task {
    try? await clock.sleep(for: timeout)
    continuation.yield(nil)
  }
  defer {
    waiting.cancel()
    continuation.finish()
  }
  for await first in answers { return first }
  return nil
}
