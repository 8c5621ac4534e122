import Yams

/// A kind of value in a configuration file: how it is called in errors and how it is read.
struct ConfigurationKind<Value> {
  /// What is expected, for example `a whole number of 1...100`.
  let expected: String
  /// Whether quotation marks make it another kind: `"30"` is text, not a number.
  private let isPlainOnly: Bool
  private let parse: (String) -> Value?

  init(_ expected: String, isPlainOnly: Bool = false, parse: @escaping (String) -> Value?) {
    self.expected = expected
    self.isPlainOnly = isPlainOnly
    self.parse = parse
  }

  /// Reads a scalar; `nil` when it is of another kind, empty, or tagged by hand.
  func value(of scalar: Node.Scalar) -> Value? {
    guard !Self.isNull(scalar), scalar.tag == .implicit || scalar.tag == Tag(.str),
      scalar.style == .plain || !isPlainOnly
    else { return nil }
    return parse(scalar.string)
  }

  /// Reads a text.
  func value(of text: String) -> Value? { parse(text) }

  /// Whether a scalar is YAML's nothing.
  static func isNull(_ scalar: Node.Scalar) -> Bool {
    scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
  }

  /// The same kind with a further condition.
  func filter(_ expected: String, _ isAllowed: @escaping (Value) -> Bool) -> ConfigurationKind {
    ConfigurationKind(expected, isPlainOnly: isPlainOnly) { text in
      parse(text).flatMap { isAllowed($0) ? $0 : nil }
    }
  }
}

extension ConfigurationKind<String> {
  /// Printable text of 1...255 characters on one line.
  static func text(_ expected: String) -> ConfigurationKind {
    ConfigurationKind(expected) { text in
      let isPrintable = text.unicodeScalars.allSatisfy { scalar in
        scalar.properties.generalCategory != .control
          && !["\u{2028}", "\u{2029}"].contains(scalar)
      }
      return isPrintable && (1...255).contains(text.unicodeScalars.count) ? text : nil
    }
  }

  /// Printable ASCII, which is what Exif text may hold.
  static func asciiText(_ expected: String) -> ConfigurationKind {
    text(expected).filter("\(expected) of 1...64 printable ASCII characters") { text in
      text.utf8.count <= 64 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
  }

  /// A name of letters, digits, `_` and `-`.
  static func identifier(_ expected: String) -> ConfigurationKind {
    text(expected).filter("\(expected) of 1...64 letters, digits, _ and -") { text in
      text.utf8.count <= 64 && text.utf8.allSatisfy { isWordByte($0) }
    }
  }

  /// An absolute path without `..`.
  static func absolutePath(_ expected: String, longest: Int = 4095) -> ConfigurationKind {
    ConfigurationKind(expected) { text in
      let isPath =
        text.hasPrefix("/") && text.utf8.count <= longest
        && !text.split(separator: "/").contains("..")
        && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      return isPath ? text : nil
    }
  }

  /// Whether a byte is an ASCII letter or digit, `_` or `-`.
  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension ConfigurationKind<Bool> {
  /// `true` or `false`; YAML 1.1's `yes`, `on` and the like are not.
  static var flag: ConfigurationKind {
    ConfigurationKind("true or false", isPlainOnly: true) { text in
      switch text {
      case "true": true
      case "false": false
      default: nil
      }
    }
  }
}

extension ConfigurationKind where Value: FixedWidthInteger & Sendable {
  /// A decimal whole number without leading zeros.
  static func integer(_ range: ClosedRange<Value>) -> ConfigurationKind {
    ConfigurationKind(
      "a whole number of \(range.lowerBound)...\(range.upperBound)", isPlainOnly: true
    ) { text in
      let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
      guard let first = digits.utf8.first, DecimalText.isDigit(first),
        first != UInt8(ascii: "0") || digits == "0"
      else { return nil }
      return Value(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ConfigurationKind<Double> {
  /// A decimal number; the unit says what it counts.
  static func number(_ range: ClosedRange<Double>, unit: String) -> ConfigurationKind {
    let (lowest, highest) = (
      DecimalText.short(range.lowerBound), DecimalText.short(range.upperBound)
    )
    return ConfigurationKind(
      "a number of \(lowest)...\(highest) \(unit)", isPlainOnly: true
    ) { text in
      DecimalText.value(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ConfigurationKind where Value: RawRepresentable<String> & Sendable {
  /// One of some words.
  static func choice(_ values: [Value]) -> ConfigurationKind {
    let words = values.map(\.rawValue)
    return ConfigurationKind(
      words.count == 1 ? words[0] : "one of \(words.joined(separator: ", "))"
    ) {
      text in values.first { $0.rawValue == text }
    }
  }
}
