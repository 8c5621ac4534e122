/// A reader of the `Retry-After` field, RFC 9110 §10.2.3.
enum RetryAfter {
  /// Returns the time that a server wants us to wait; `nil` when the field has no usable value.
  ///
  /// A date is compared with the server's own `Date`, if there is one, since a rig's clock may be
  /// years off. A past date, a negative number and other text give `nil`. The result may be very
  /// long; ``RetryPolicy`` limits the wait.
  ///
  /// - Parameters:
  ///   - value: the field's value.
  ///   - date: the value of the same answer's `Date` field.
  ///   - now: the seconds since 1970 by our own clock.
  static func wait(_ value: String, date: String?, now: Int64) -> Duration? {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    let end = value.lastIndex { !isSpace($0) }.map { value.index(after: $0) } ?? value.startIndex
    let trimmed = String(value[..<end].drop(while: isSpace))
    if !trimmed.isEmpty, trimmed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // More digits mean more than thirty years, and would overflow an Int64 in the end.
      let significant = trimmed.drop(while: { $0 == "0" })
      guard significant.utf8.count <= 9 else { return .seconds(999_999_999) }
      return .seconds(Int64(significant) ?? 0)
    }
    guard let wanted = HTTPDate.seconds(from: trimmed, now: now) else { return nil }
    let reference = date.flatMap { HTTPDate.seconds(from: $0, now: now) } ?? now
    return wanted > reference ? .seconds(wanted - reference) : nil
  }
}
