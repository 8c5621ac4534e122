import Foundation
import Spool

/// Times as ISO 8601 in UTC with milliseconds.
enum ISO8601Time {
  /// Returns the wall time of a capture; `nil` when it is unknown.
  static func text(_ captured: CaptureTime) -> String? {
    captured.wallNanoseconds.map(text(nanoseconds:))
  }

  /// Returns a time in nanoseconds since 1970.
  static func text(nanoseconds: Int64) -> String {
    // Nanoseconds since 1970 do not fit into a Double: whole seconds and the rest are separate.
    let milliseconds = Int64((Double(nanoseconds / 1000) / 1000).rounded(.down))
    let rest = (milliseconds % 1000 + 1000) % 1000
    let seconds = Date(timeIntervalSince1970: Double((milliseconds - rest) / 1000))
    let digits = String(rest + 1000).dropFirst()
    return seconds.formatted(.iso8601).dropLast() + ".\(digits)Z"
  }
}
