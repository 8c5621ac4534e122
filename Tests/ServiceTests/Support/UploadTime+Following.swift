import Devices

@testable import Upload

extension UploadTime {
  /// Returns the clocks of an uploader that follow the clock of a simulated board.
  static func following(_ clock: some MonotonicClock, wallNanoseconds: Int64) -> UploadTime {
    UploadTime(
      now: { .nanoseconds(clock.now.nanoseconds) },
      sleep: { (end: Duration?, signal: WakeSignal) async -> Void in
        let day = Duration.seconds(86_400)
        let end = end.map { MonotonicInstant(nanoseconds: $0.wholeNanoseconds) }
        await clock.sleep(until: end ?? clock.now.advanced(by: day), or: signal)
      },
      wallNanoseconds: { wallNanoseconds })
  }
}
