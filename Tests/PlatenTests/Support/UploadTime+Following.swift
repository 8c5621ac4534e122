import Devices
import Upload

extension UploadTime {
  /// Returns the clocks of an uploader that follow the clock of a simulated board.
  static func following(_ clock: some MonotonicClock, wallNanoseconds: Int64) -> UploadTime {
    UploadTime(
      now: { .nanoseconds(clock.now.nanoseconds) },
      sleepUntil: {
        try await clock.sleep(until: MonotonicInstant(nanoseconds: $0.wholeNanoseconds))
      },
      wallNanoseconds: { wallNanoseconds })
  }
}
