package import Devices
import Foundation

/// The forms of numbers.
extension SettingForm<Int> {
  /// Returns the form of a whole number in a range.
  package static func integer(
    _ range: ClosedRange<Int>, unit: String? = nil
  ) -> SettingForm {
    SettingForm(
      "whole number",
      range: "\(range.lowerBound) to \(range.upperBound)" + (unit.map { " \($0)" } ?? ""),
      expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
      parse: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } })
  }

  /// Returns the form of a whole number with a lower limit.
  package static func integer(
    from least: Int
  ) -> SettingForm {
    SettingForm(
      "whole number", range: "\(least) or more", expected: "a whole number, \(least) or more",
      parse: { text in Int(text).flatMap { $0 >= least ? $0 : nil } })
  }

}

extension SettingForm<Double> {
  /// Returns the form of a number in a range.
  package static func number(
    _ range: ClosedRange<Double>, unit: String? = nil
  ) -> SettingForm {
    let limits =
      "\(range.lowerBound.written) to \(range.upperBound.written)"
      + (unit.map { " \($0)" } ?? "")
    return SettingForm(
      "number", range: limits, expected: "a number from \(limits)", text: { $0.written },
      parse: { text in Double(text).flatMap { range.contains($0) ? $0 : nil } })
  }

}

extension SettingForm<Duration> {
  /// Returns the form of a duration with its unit: `30 ms`, `5 s`, `2 min`, `1 h`.
  package static func duration(
    _ range: ClosedRange<Duration>
  ) -> SettingForm {
    let limits = "\(range.lowerBound.written) to \(range.upperBound.written)"
    return SettingForm(
      "duration", range: limits,
      expected: "a duration from \(limits) with its unit (us, ms, s, min, h)",
      text: { $0.written },
      parse: { text in
        let units = ["us": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3600e9]
        guard let (number, unit) = text.numberAndUnit, let scale = units[unit] else { return nil }
        let nanoseconds = number * scale
        guard nanoseconds.isFinite, abs(nanoseconds) < 1e18 else { return nil }
        let duration = Duration.nanoseconds(Int64(nanoseconds.rounded()))
        return range.contains(duration) ? duration : nil
      })
  }

}

extension SettingForm<Int64> {
  /// Returns the form of a number of bytes with its unit: `256 MiB`, `10 GB`.
  package static func bytes(
    _ range: ClosedRange<Int64>, unit: String? = nil
  ) -> SettingForm {
    bytes(
      range, limits: "\(range.lowerBound.writtenBytes) to \(range.upperBound.writtenBytes)",
      unit: unit)
  }

  /// Returns the form of a number of bytes with a lower limit; the upper one is 1 PiB.
  package static func bytes(
    from least: Int64, unit: String? = nil
  ) -> SettingForm {
    bytes(least...(1 << 50), limits: "\(least.writtenBytes) or more", unit: unit)
  }

  private static func bytes(
    _ range: ClosedRange<Int64>, limits: String, unit: String?
  ) -> SettingForm {
    SettingForm(
      "bytes", range: limits + (unit.map { " \($0)" } ?? ""),
      expected: "a number of bytes, \(limits), with its unit (B, kB, MB, GB, KiB, MiB, GiB)",
      text: { $0.writtenBytes },
      parse: { text in
        let units: [String: Double] = [
          "B": 1, "KiB": 1024, "MiB": 1_048_576, "GiB": 1_073_741_824, "kB": 1e3, "MB": 1e6,
          "GB": 1e9,
        ]
        guard let (number, unit) = text.numberAndUnit, let scale = units[unit] else { return nil }
        let bytes = number * scale
        guard bytes.isFinite, bytes < 1e18 else { return nil }
        return range.contains(Int64(bytes)) ? Int64(bytes) : nil
      })
  }

}

extension SettingForm<FrameSize> {
  /// The form of a size in pixels: `1920x1080`.
  package static var size: SettingForm<FrameSize> {
    SettingForm(
      "size", range: "48x48 to 16384x16384 pixels",
      expected: "a size from 48x48 to 16384x16384, for example 1920x1080",
      text: { "\($0.width)x\($0.height)" },
      parse: { text in
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
          (48...16384).contains(width), (48...16384).contains(height)
        else { return nil }
        return FrameSize(width: width, height: height)
      })
  }
}

extension Double {
  /// The number without the fraction that a whole number does not have.
  fileprivate var written: String {
    self == rounded() && abs(self) < 1e9 ? String(Int(self)) : String(self)
  }
}

extension Duration {
  /// The duration in the largest unit in which it is a whole number.
  fileprivate var written: String {
    let units: [(Duration, String)] = [
      (.seconds(3600), "h"), (.seconds(60), "min"), (.seconds(1), "s"), (.milliseconds(1), "ms"),
    ]
    for (unit, name) in units where self >= unit && self == unit * Int(self / unit) {
      return "\(Int(self / unit)) \(name)"
    }
    return self == .zero ? "0 s" : "\((self / .microseconds(1)).written) us"
  }
}

extension Int64 {
  /// The number of bytes in the largest unit in which it is a whole number.
  fileprivate var writtenBytes: String {
    let units: [(Int64, String)] = [
      (1 << 30, "GiB"), (1 << 20, "MiB"), (1_000_000, "MB"), (1 << 10, "KiB"), (1000, "kB"),
    ]
    for (unit, name) in units where self >= unit && self % unit == 0 {
      return "\(self / unit) \(name)"
    }
    return "\(self) B"
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
