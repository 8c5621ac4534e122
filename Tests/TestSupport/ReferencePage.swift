package import Foundation

/// A page of `docs/reference` that is made from declarations.
package enum ReferencePage {
  /// The folder of the repository.
  package static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Compares a page of `docs/reference`; see ``difference(ofFile:_:)``.
  package static func difference(of name: String, _ text: String) throws -> String? {
    try difference(ofFile: "docs/reference/\(name)", text)
  }

  /// Compares a file with its declarations; `board/docs` has it written instead.
  ///
  /// - Parameters:
  ///   - path: The file's path in the repository.
  ///   - text: The file as the declarations make it.
  /// - Returns: `nil`, or the first line that differs and the way to write it again.
  /// - Throws: Errors of reading and writing the file.
  package static func difference(ofFile path: String, _ text: String) throws -> String? {
    let file = repository.appending(path: path)
    let text = text.hasSuffix("\n") ? text : text + "\n"
    if ProcessInfo.processInfo.environment["PLATEN_WRITE_DOCS"] != nil {
      try Data(text.utf8).write(to: file)
      return nil
    }
    let written = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    guard written != text else { return nil }
    let lines = text.components(separatedBy: "\n")
    let found = written.components(separatedBy: "\n")
    let number = zip(lines, found).prefix { $0 == $1 }.count
    let wanted = number < lines.count ? lines[number] : "the page's end"
    return "\(path):\(number + 1) should be \"\(wanted)\"; board/docs writes it"
  }

  /// A table in Markdown.
  package static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map { row in
      "| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }.joined(separator: "\n")
  }
}
