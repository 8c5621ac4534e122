import API
import Spool

extension ISO8601Time {
  /// Returns the wall time of a capture; `nil` when it is unknown.
  static func text(_ captured: CaptureTime) -> String? {
    captured.wallNanoseconds.map(text(nanoseconds:))
  }
}
