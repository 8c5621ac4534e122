package import Foundation

/// An archive as Base64 text, for a line that carries nothing else.
///
/// The text has lines of 76 characters between two marks. Instructions precede the text, and the
/// checksum follows.
package enum Base64Text {
  /// The number of bytes in a line of 76 characters.
  private static let bytesOfLine = 57

  /// The name of the decoded file, short enough for a terminal's line.
  private static let file = "bundle.tar.gz"

  /// Returns the lines before the bytes.
  package static func heading(name: String, bytes: Int64) -> [String] {
    [
      "# \(name), \(bytes) bytes.",
      "# Record what comes into a file LOG, then run:",
      "# sed '1,/^-----BEGIN/d;/^-----END/,$d' LOG | base64 -di >\(file)",
      "# and compare \"sha256sum \(file)\" with the last line.",
      "-----BEGIN PLATEN SUPPORT BUNDLE-----",
    ]
  }

  /// Returns the lines after the bytes.
  package static func ending(sha256: String) -> [String] {
    ["-----END PLATEN SUPPORT BUNDLE-----", "\(sha256)  \(file)"]
  }

  /// Returns the encoded bytes in pieces of some lines each.
  package static func pieces(of data: Data, linesOfPiece: Int = 64) -> [[String]] {
    let size = bytesOfLine * max(1, linesOfPiece)
    return stride(from: 0, to: data.count, by: size).map { start in
      stride(from: start, to: min(start + size, data.count), by: bytesOfLine).map { index in
        data.subdata(in: index..<min(index + bytesOfLine, data.count)).base64EncodedString()
      }
    }
  }
}
