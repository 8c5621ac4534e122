import Devices

@testable import Upload

extension UploadTime {
  /// Returns the clocks of an uploader that follow the clock of a simulated board.
  static func following(_ clock: some MonotonicClock, wallNanoseconds: Int64) -> UploadTime {
    UploadTime(
      now: { .nanoseconds(clock.now.nanoseconds) },
      sleepUntil: { (end: Duration?) async throws -> Void in
        guard let end else { return try await clock.sleep(for: .seconds(86_400)) }
        try await clock.sleep(until: MonotonicInstant(nanoseconds: end.wholeNanoseconds))
      },
      wallNanoseconds: { wallNanoseconds })
  }
}
