import Foundation

/// The formatting of numbers for people, the same in every locale.
enum Figures {
  /// Formats a number with a fixed count of decimals; a hyphen stands for no number.
  static func decimal(_ value: Double?, _ decimals: Int, unit: String = "") -> String {
    guard let value, value.isFinite else { return "-" }
    var text = String(format: "%.\(decimals)f", value)
    // Rounding leaves the sign of a small negative number behind.
    if text.hasPrefix("-"), !text.contains(where: { ("1"..."9").contains($0) }) {
      text.removeFirst()
    }
    return unit.isEmpty ? text : "\(text) \(unit)"
  }

  /// Formats a count of bytes in a suitable unit with powers of 1000.
  static func bytes(_ count: Int64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var value = Double(count)
    var index = 0
    while abs(value) >= 999.5, index < units.count - 1 {
      value /= 1000
      index += 1
    }
    let decimals = index == 0 || abs(value) >= 99.95 ? 0 : 1
    return decimal(value, decimals, unit: units[index])
  }

  /// Formats a span of seconds in its two largest units, for example `3 h 12 min`.
  static func span(seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return "-" }
    let whole = Int(seconds)
    let (days, hours, minutes) = (whole / 86400, whole / 3600 % 24, whole / 60 % 60)
    if days > 0 { return "\(days) d \(hours) h" }
    if hours > 0 { return "\(hours) h \(minutes) min" }
    if minutes > 0 { return "\(minutes) min \(whole % 60) s" }
    return "\(whole) s"
  }
}
