import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Console

/// The commands that the documentation and the picture of the console name.
@Suite struct DocumentedCommandTests {
  private let tree: CommandTree

  init() throws {
    tree = try CommandTree.read(Platenctl._dumpHelp())
  }

  @Test func `the picture of the console shows commands that exist`() throws {
    let lines = try text("docs/reference/console.svg").matches(of: /class="typed">([^<]+)</)
    #expect(lines.count >= 3)
    for line in lines {
      let word = unknownWord(line.1)
      #expect(word == nil, "\"\(line.1)\"; board/docs console draws the picture")
    }
  }

  @Test func `the documentation names commands and options that exist`() throws {
    let docs = ReferencePage.repository.appending(path: "docs").path
    let pages = try FileManager.default.subpathsOfDirectory(atPath: docs)
      .filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
    #expect(!pages.isEmpty)
    for page in ["README.md", "CONTRIBUTING.md"] + pages {
      let commands = try text(page)
        .matches(of: /(?m)(?:^|[`"]|sudo )platenctl ([a-z][^`"#|;&>\n]*)/)
      for command in commands {
        let word = unknownWord(command.1)
        #expect(word == nil, "\(page): \"platenctl \(command.1)\"")
      }
    }
  }

  /// Returns the first word of a line that is neither a command nor an option.
  private func unknownWord(_ line: Substring) -> String? {
    let path = tree.path(line.split(separator: " ").map(String.init))
    var command = path.command
    while let name = command.defaultSubcommand, let child = command.child(name) {
      command = child
    }
    let arguments = command.arguments ?? []
    let takesWords = arguments.contains { $0.kind == "positional" }
    if let word = path.rest.first, !word.hasPrefix("-"), !takesWords { return word }
    let options = Set(arguments.flatMap { $0.names ?? [] }.map(\.typed))
    return path.rest.first { $0.hasPrefix("--") && !options.contains($0) }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: ReferencePage.repository.appending(path: path), encoding: .utf8)
  }
}
