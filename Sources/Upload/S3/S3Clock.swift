import Synchronization
import Transfer

/// The time that requests are signed with: our own clock, corrected by what servers say.
///
/// A rig has no clock battery; until its clock is synchronised it may be years off, and S3 refuses
/// what is signed more than fifteen minutes beside its own time. The correction is for signatures
/// only: the check of certificates goes by the system's clock.
final class S3Clock: Sendable {
  /// From this difference on, in seconds, a refusal may be due to the clock.
  static let tolerance: Int64 = 300

  private let wallNanoseconds: @Sendable () -> Int64
  private let offset = Mutex<Int64>(0)

  init(wallNanoseconds: @escaping @Sendable () -> Int64) {
    self.wallNanoseconds = wallNanoseconds
  }

  /// Seconds since 1970, as far as they are known.
  var seconds: Int64 { ownSeconds + offset.withLock { $0 } }

  /// Nanoseconds since 1970 by our own clock alone.
  var ownNanoseconds: Int64 { wallNanoseconds() }

  private var ownSeconds: Int64 { wallNanoseconds() / 1_000_000_000 }

  /// Takes the server's time over if a refusal is due to ours; returns whether it is.
  ///
  /// - Parameters:
  ///   - seconds: the time that the request was signed with.
  ///   - elapsed: the time from then to the answer: many bytes take longer than a clock may be
  ///     wrong.
  func learn(from answer: S3Answer, signedAt seconds: Int64, elapsed: Duration) -> Bool {
    let assumed = seconds + elapsed.components.seconds
    guard let theirs = Self.serverTime(of: answer, assumed: assumed) else { return false }
    let own = ownSeconds
    offset.withLock { $0 = theirs - own }
    return true
  }

  /// The server's time, if an answer is a refusal for the sake of the clock.
  ///
  /// AWS and SeaweedFS say `RequestTimeTooSkewed` with 403; rclone answers `AccessDenied` with 400
  /// when our clock is a day slow. So any refusal by a server with another time counts.
  static func serverTime(of answer: S3Answer, assumed: Int64) -> Int64? {
    guard answer.status == 400 || answer.status == 403, let date = answer.response["Date"],
      let theirs = HTTPDate.seconds(from: date, now: assumed)
    else { return nil }
    let isRefused = answer.errorCode == "RequestTimeTooSkewed"
    // A time that differs by nothing explains no refusal, whatever it is called.
    return (isRefused && theirs != assumed) || abs(theirs - assumed) > tolerance ? theirs : nil
  }
}
