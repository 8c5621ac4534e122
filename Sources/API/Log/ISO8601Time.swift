import Foundation

/// Times as ISO 8601 in UTC with milliseconds.
package enum ISO8601Time {
  /// Returns a time in nanoseconds since 1970.
  package static func text(nanoseconds: Int64) -> String { text(microseconds: nanoseconds / 1000) }

  /// Returns a time in microseconds since 1970.
  package static func text(microseconds: Int64) -> String {
    // Microseconds of any time do not fit into a Double: whole seconds and the rest are separate.
    let milliseconds = Int64((Double(microseconds) / 1000).rounded(.down))
    let rest = (milliseconds % 1000 + 1000) % 1000
    let seconds = Date(timeIntervalSince1970: Double((milliseconds - rest) / 1000))
    let digits = String(rest + 1000).dropFirst()
    return seconds.formatted(.iso8601).dropLast() + ".\(digits)Z"
  }
}
