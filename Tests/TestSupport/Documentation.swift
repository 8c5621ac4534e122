import Foundation

/// The examples in the documentation, which tests run unchanged.
package enum Documentation {
  /// The error that a text has no such example.
  package struct Missing: Error {
    /// The language of the example.
    package let language: String
    /// The text's path in the repository.
    package let path: String
  }

  /// Returns the first example in a language, as its fence names it.
  ///
  /// - Parameter path: a text's path in the repository.
  /// - Throws: ``Missing``, or an error of reading the file.
  package static func example(_ language: String, in path: String) throws -> String {
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
