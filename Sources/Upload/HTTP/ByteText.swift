import Foundation

/// Bytes written as text, and text of servers made fit to be shown.
enum ByteText {
  /// Returns bytes as lower-case hexadecimal digits.
  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Reads hexadecimal digits; `nil` when there are other characters, or an odd number of them.
  static func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  /// Returns bytes in Base64 with padding, RFC 4648 §4.
  static func base64(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
  }

  /// Returns text of a server as it may be shown: on one line, at most so many characters.
  static func shown(_ text: String, maximum: Int = 200) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      clean.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    let line = String(clean).split(separator: " ").joined(separator: " ")
    return line.count > maximum ? line.prefix(maximum) + "…" : line
  }
}
