import Foundation

/// Bytes written as text, and text of servers made fit to be shown.
enum ByteText {
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
