import Devices
import Foundation

/// Conversions of bytes to text, and of server text to text that may be shown.
enum ByteText {
  /// Returns bytes in Base64 with padding, RFC 4648 §4.
  static func base64(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
  }

  /// Returns whether all bytes are digits of Base64, without padding.
  static func isBase64(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { $0.isASCIIAlphanumeric || "+/".utf8.contains($0) }
  }

  /// Returns server text as it may be shown: on one line, cut to a number of characters.
  static func shown(_ text: String, maximum: Int = 200) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      clean.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    let line = String(clean).split(separator: " ").joined(separator: " ")
    return line.count > maximum ? line.prefix(maximum) + "…" : line
  }
}
