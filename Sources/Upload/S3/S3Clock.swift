import Synchronization
import Transfer

/// The clock for signatures: our own clock, corrected by the servers' clocks.
///
/// A rig has no clock battery, so its clock may be years off until it is synchronized. S3 refuses
/// signatures whose time differs from its own by more than fifteen minutes. The correction is for
/// signatures only; certificates are checked by the system's clock.
final class S3Clock: Sendable {
  /// The difference in seconds above which a refusal may be due to the clock.
  static let tolerance: Int64 = 300

  private let wallNanoseconds: @Sendable () -> Int64
  private let offset = Mutex<Int64>(0)

  init(wallNanoseconds: @escaping @Sendable () -> Int64) {
    self.wallNanoseconds = wallNanoseconds
  }

  /// The seconds since 1970 by the corrected clock.
  var seconds: Int64 { ownSeconds + offset.withLock { $0 } }

  /// The nanoseconds since 1970 by our own clock alone.
  var ownNanoseconds: Int64 { wallNanoseconds() }

  private var ownSeconds: Int64 { wallNanoseconds() / 1_000_000_000 }

  /// Adopts the server's time if our clock is the reason for a refusal; returns whether it is.
  ///
  /// - Parameters:
  ///   - seconds: the time that the request was signed with.
  ///   - elapsed: the time from signing to the answer, as many bytes take longer than the
  ///     tolerance.
  func learn(from answer: S3Answer, signedAt seconds: Int64, elapsed: Duration) -> Bool {
    let assumed = seconds + elapsed.components.seconds
    guard let theirs = Self.serverTime(of: answer, assumed: assumed) else { return false }
    let own = ownSeconds
    offset.withLock { $0 = theirs - own }
    return true
  }

  /// Returns the server's time if an answer is a refusal because of the clock, else `nil`.
  ///
  /// AWS and SeaweedFS answer `RequestTimeTooSkewed` with 403. rclone answers `AccessDenied` with
  /// 400 when our clock is a day slow. So any refusal by a server with another time counts.
  static func serverTime(of answer: S3Answer, assumed: Int64) -> Int64? {
    guard answer.status == 400 || answer.status == 403, let date = answer.response["Date"],
      let theirs = HTTPDate.seconds(from: date, now: assumed)
    else { return nil }
    let isRefused = answer.errorCode == "RequestTimeTooSkewed"
    // Without a difference the clock explains no refusal, whatever the error's code is.
    return (isRefused && theirs != assumed) || abs(theirs - assumed) > tolerance ? theirs : nil
  }
}
