import Foundation

/// The examples of the documentation, which tests run as they stand there.
public enum Documentation {
  /// A text has no such example.
  public struct Missing: Error {
    /// The language of the example.
    public let language: String
    /// The text's path in the repository.
    public let path: String
  }

  /// The first example in a language, as its fence names it.
  ///
  /// - Parameter path: a text's path in the repository.
  /// - Throws: ``Missing``, or what reading the file throws.
  public static func example(_ language: String, in path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    let parts = text.split(separator: "```\(language)\n", maxSplits: 1)
    guard parts.count == 2, let end = parts[1].range(of: "\n```") else {
      throw Missing(language: language, path: path)
    }
    return String(parts[1][..<end.lowerBound]) + "\n"
  }
}
