import Devices
import Foundation

/// The kinds of values that a configuration has, each with its own spelling.
extension ConfigurationMapping {
  /// Reads a text of 1 to 1024 characters without control characters.
  func text(_ key: String, expected: String = "a text", isQuoted: Bool = true) -> String? {
    value(key, expected: expected, isQuoted: isQuoted) { text in
      guard (1...1024).contains(text.count),
        !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else { return nil }
      return text
    }
  }

  /// Reads an absolute path.
  ///
  /// - Parameter isQuoted: whether the issue quotes the value; `false` where the value may be a
  ///   file's contents.
  func path(_ key: String, isQuoted: Bool = true) -> String? {
    let path = text(key, expected: "an absolute path", isQuoted: isQuoted)
    guard let path, !path.hasPrefix("/") else { return path }
    note("expected an absolute path, found \(isQuoted ? "\"\(path)\"" : "text")", at: key)
    return nil
  }

  /// Reads `true` or `false`.
  func boolean(_ key: String) -> Bool? {
    value(key, expected: "true or false") { text in
      guard isUnquoted(key) else { return nil }
      return text == "true" ? true : text == "false" ? false : nil
    }
  }

  /// Reads a whole number in a range.
  func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return value(key, expected: expected) { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Reads a number in a range.
  func number(_ key: String, in range: ClosedRange<Double>, unit: String = "") -> Double? {
    let expected = "a number from \(range.lowerBound.formatted) to \(range.upperBound.formatted)"
    return value(key, expected: expected + (unit.isEmpty ? "" : " \(unit)")) { text in
      Double(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Reads a word of a fixed set.
  func word<Word: CaseIterable & RawRepresentable<String>>(
    _ key: String, _ type: Word.Type
  ) -> Word? {
    let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
    return value(key, expected: "one of \(words)") { Word(rawValue: $0) }
  }

  /// Reads a duration with its unit: `30 ms`, `5 s`, `2 min`, `1 h`.
  func duration(_ key: String, in range: ClosedRange<Duration>) -> Duration? {
    let expected =
      "a duration from \(range.lowerBound.formatted) to \(range.upperBound.formatted)"
      + " with its unit (us, ms, s, min, h)"
    return value(key, expected: expected) { text in
      let units = ["us": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3600e9]
      guard let (number, unit) = text.numberAndUnit, let scale = units[unit] else {
        return nil
      }
      let nanoseconds = number * scale
      guard nanoseconds.isFinite, abs(nanoseconds) < 1e18 else { return nil }
      let duration = Duration.nanoseconds(Int64(nanoseconds.rounded()))
      return range.contains(duration) ? duration : nil
    }
  }

  /// Reads a number of bytes with its unit: `256 MiB`, `10 GB`.
  func bytes(_ key: String, in range: ClosedRange<Int64>) -> Int64? {
    let expected = "a number of bytes from \(range.lowerBound) B with its unit (B, KiB, MiB, GiB)"
    return value(key, expected: expected) { text in
      let units: [String: Double] = [
        "B": 1, "KiB": 1024, "MiB": 1_048_576, "GiB": 1_073_741_824, "kB": 1e3, "MB": 1e6,
        "GB": 1e9,
      ]
      guard let (number, unit) = text.numberAndUnit, let scale = units[unit] else {
        return nil
      }
      let bytes = number * scale
      guard bytes.isFinite, bytes < 1e18, bytes > -1e18 else { return nil }
      return range.contains(Int64(bytes)) ? Int64(bytes) : nil
    }
  }

  /// Reads a size in pixels: `1920x1080`.
  func size(_ key: String) -> FrameSize? {
    value(key, expected: "a size from 48x48 to 16384x16384, for example 1920x1080") { text in
      let parts = text.split(separator: "x", omittingEmptySubsequences: false)
      guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
        (48...16384).contains(width), (48...16384).contains(height)
      else { return nil }
      return FrameSize(width: width, height: height)
    }
  }
}

extension Double {
  fileprivate var formatted: String {
    self == rounded() && abs(self) < 1e9 ? String(Int(self)) : String(self)
  }
}

extension Duration {
  fileprivate var formatted: String {
    let milliseconds = inMilliseconds
    if milliseconds < 1000 { return "\(milliseconds.formatted) ms" }
    let seconds = milliseconds / 1000
    return seconds < 120 ? "\(seconds.formatted) s" : "\((seconds / 60).formatted) min"
  }
}

extension String {
  /// The parts of a text like `30 ms`; a unit is required, the space is not.
  fileprivate var numberAndUnit: (Double, String)? {
    let digits = prefix { $0.isNumber || $0 == "." }
    let unit = dropFirst(digits.count).trimmingCharacters(in: .whitespaces)
    guard let number = Double(digits), !unit.isEmpty else { return nil }
    return (number, unit)
  }
}
