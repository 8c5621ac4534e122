public import Foundation

/// An archive as text, for a line over which nothing else goes: Base64 in lines of 76 between two
/// marks, with what to do with it before and its sum behind.
public enum Base64Text {
  /// How many bytes are in a line of 76 characters.
  private static let bytesOfLine = 57

  /// What the decoded file is called: short, so that no line is too long for a terminal.
  private static let file = "bundle.tar.gz"

  /// The lines that stand before the bytes.
  public static func heading(name: String, bytes: Int64) -> [String] {
    [
      "# \(name), \(bytes) bytes.",
      "# Record what comes into a file LOG, then run:",
      "# sed '1,/^-----BEGIN/d;/^-----END/,$d' LOG | base64 -di >\(file)",
      "# and compare \"sha256sum \(file)\" with the last line.",
      "-----BEGIN PLATEN SUPPORT BUNDLE-----",
    ]
  }

  /// The lines that stand behind the bytes.
  public static func ending(sha256: String) -> [String] {
    ["-----END PLATEN SUPPORT BUNDLE-----", "\(sha256)  \(file)"]
  }

  /// The bytes, in pieces of some lines each.
  public static func pieces(of data: Data, linesOfPiece: Int = 64) -> [[String]] {
    let size = bytesOfLine * max(1, linesOfPiece)
    return stride(from: 0, to: data.count, by: size).map { start in
      stride(from: start, to: min(start + size, data.count), by: bytesOfLine).map { index in
        data.subdata(in: index..<min(index + bytesOfLine, data.count)).base64EncodedString()
      }
    }
  }
}
