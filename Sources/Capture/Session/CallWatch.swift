import Devices

/// Knows which calls of the camera have not returned yet, and for how long.
struct CallWatch {
  private var beginnings: [Int: MonotonicInstant] = [:]
  private var nextCall = 0

  /// Notes that a call begins; the result names it at its end.
  mutating func begin(at now: MonotonicInstant) -> Int {
    nextCall += 1
    beginnings[nextCall] = now
    return nextCall
  }

  /// Notes that a call has returned.
  mutating func end(_ call: Int) {
    beginnings[call] = nil
  }

  /// When the oldest call that has not returned began; `nil` when all have.
  var oldestBeginning: MonotonicInstant? { beginnings.values.min() }
}

extension CaptureSession {
  /// Makes a call of the camera, watched for its return; see ``isStuck``.
  func watched<Value, Failure: Error>(
    _ call: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let number = cameraCalls.begin(at: clock.now)
    defer { cameraCalls.end(number) }
    return try await call()
  }
}
