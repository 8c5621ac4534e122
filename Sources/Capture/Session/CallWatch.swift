import Devices

/// Tracks the calls of the camera that have not returned yet, and their beginnings.
struct CallWatch {
  private var beginnings: [Int: MonotonicInstant] = [:]
  private var nextCall = 0

  /// Notes that a call begins, and returns its number for ``end(_:)``.
  mutating func begin(at now: MonotonicInstant) -> Int {
    nextCall += 1
    beginnings[nextCall] = now
    return nextCall
  }

  /// Notes that a call has returned.
  mutating func end(_ call: Int) {
    beginnings[call] = nil
  }

  /// The time at which the oldest unreturned call began; `nil` when all have returned.
  var oldestBeginning: MonotonicInstant? { beginnings.values.min() }
}

extension CaptureSession {
  /// Makes a call of the camera and tracks its return; see ``isStuck``.
  func watched<Value, Failure: Error>(
    _ call: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let number = cameraCalls.begin(at: clock.now)
    stateChanged()
    defer {
      cameraCalls.end(number)
      stateChanged()
      if lifecycle.isStopWanted { streamTimer.wake() }
    }
    return try await call()
  }
}
