import Devices

/// Decimal numbers as a configuration writes them: digits, maybe a sign and a fraction.
enum DecimalText {
  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The number; `nil` for exponents, hexadecimals, infinities and all else.
  static func value(_ text: some StringProtocol) -> Double? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text.dropFirst(0)
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), text.utf8.count <= 32,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) })
    else { return nil }
    return Double(text)
  }

  /// A number without a superfluous `.0`.
  static func short(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Splits `30 ms` or `30ms` into the number and the unit.
  static func withUnit(_ text: String) -> (number: Double, unit: String)? {
    let number = text.prefix { $0 == "." || $0 == "-" || $0.utf8.allSatisfy(isDigit) }
    var unit = text[number.endIndex...]
    if unit.first == " " { unit = unit.dropFirst() }
    return value(number).map { ($0, String(unit)) }
  }
}

extension ConfigurationKind<Duration> {
  /// A duration with its unit: `ms`, `s`, `min` or `h`.
  static func duration(_ range: ClosedRange<Duration>) -> ConfigurationKind {
    let (lowest, highest) = (words(range.lowerBound), words(range.upperBound))
    return ConfigurationKind("a duration of \(lowest) to \(highest), such as \(example(range))") {
      text in parse(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// The duration in a text; `nil` when it is none or longer than three centuries.
  static func parse(_ text: String) -> Duration? {
    guard let (number, unit) = DecimalText.withUnit(text) else { return nil }
    let nanoseconds: Double
    switch unit {
    case "ms": nanoseconds = number * 1e6
    case "s": nanoseconds = number * 1e9
    case "min": nanoseconds = number * 60e9
    case "h": nanoseconds = number * 3600e9
    default: return nil
    }
    return abs(nanoseconds) < 9e18 ? .nanoseconds(Int64(nanoseconds.rounded())) : nil
  }

  /// The duration as the configuration writes it, in the largest unit that divides it.
  static func words(_ duration: Duration) -> String {
    let milliseconds = duration.wholeNanoseconds / 1_000_000
    for (unit, size) in [("h", 3_600_000), ("min", 60_000), ("s", 1000)] as [(String, Int64)]
    where milliseconds != 0 && milliseconds % size == 0 {
      return "\(milliseconds / size) \(unit)"
    }
    return "\(milliseconds) ms"
  }

  private static func example(_ range: ClosedRange<Duration>) -> String {
    [.seconds(1), .milliseconds(500), .milliseconds(30)].first { range.contains($0) }
      .map(words) ?? words(range.upperBound)
  }
}

extension ConfigurationKind<UInt64> {
  /// A number of bytes with its unit: `B`, `KiB`, `MiB`, `GiB` or `TiB`.
  static var byteCount: ConfigurationKind {
    ConfigurationKind("a number of bytes with its unit, such as 256 MiB") { text in
      guard let (number, unit) = DecimalText.withUnit(text), number >= 0,
        let power = ["B", "KiB", "MiB", "GiB", "TiB"].firstIndex(of: unit)
      else { return nil }
      let bytes = (number * Double(UInt64(1) << UInt64(10 * power))).rounded()
      return bytes < 9e18 ? UInt64(bytes) : nil
    }
  }
}

extension ConfigurationKind<FrameSize> {
  /// Width and height in pixels.
  static var frameSize: ConfigurationKind {
    ConfigurationKind("a size such as 1920x1080, each side of 1...65500 pixels") { text in
      let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { side in
        side.utf8.allSatisfy(DecimalText.isDigit) ? Int(side) : nil
      }
      guard sides.count == 2, let width = sides[0], let height = sides[1],
        (1...65500).contains(width), (1...65500).contains(height)
      else { return nil }
      return FrameSize(width: width, height: height)
    }
  }
}

extension ConfigurationKind<MountMatrix> {
  /// A mount matrix as the kernel prints it.
  static var mountMatrix: ConfigurationKind {
    ConfigurationKind("an invertible matrix such as \"0, 1, 0; -1, 0, 0; 0, 0, 1\"") {
      MountMatrix(kernelText: $0)
    }
  }
}
