import Foundation
import Settings

/// A command with its subcommands and arguments, as described by swift-argument-parser.
///
/// Help, completion and the manual are made from this tree, so they always match the parser.
package struct CommandTree: Sendable, Decodable {
  /// An option, a flag or a value of a command.
  package struct Argument: Sendable, Decodable {
    /// A name, without its dashes.
    package struct Name: Sendable, Decodable {
      /// The kind of its dashes: `long`, `short` or `longWithSingleDash`.
      package let kind: String
      /// The letters.
      package let name: String

      /// The name as it is typed.
      package var typed: String { (kind == "long" ? "--" : "-") + name }
    }

    /// The argument's kind: `positional`, `option` or `flag`.
    package let kind: String
    /// Whether help shows the argument.
    package let shouldDisplay: Bool
    /// The argument's names; `nil` for a positional argument.
    package let names: [Name]?
    /// The placeholder of the value in help.
    package let valueName: String?
    /// The default value.
    package let defaultValue: String?
    /// The allowed words; `nil` for anything.
    package let allValues: [String]?
    /// A description in a sentence.
    package let abstract: String?

    /// The description with the allowed words.
    package var meaning: String {
      let values = allValues.map { "Values: \($0.joined(separator: ", "))." }
      return [abstract, values].compactMap(\.self).joined(separator: " ")
    }
  }

  /// The command's word.
  package let commandName: String
  /// Other words for the command.
  package let aliases: [String]?
  /// A description in a sentence.
  package let abstract: String?
  /// A longer description.
  package let discussion: String?
  /// Whether help shows the command.
  package let shouldDisplay: Bool
  /// The subcommand used when none is named.
  package let defaultSubcommand: String?
  /// The commands below this one.
  package let subcommands: [CommandTree]?
  /// The command's arguments.
  package let arguments: [Argument]?

  /// Parses the output of swift-argument-parser's `_dumpHelp()`.
  ///
  /// - Throws: `DecodingError` when the output has another version of that format.
  package static func read(_ json: String) throws -> CommandTree {
    struct Tool: Decodable {
      let command: CommandTree
    }
    return try JSONDecoder().decode(Tool.self, from: Data(json.utf8)).command
  }

  /// The subcommands that help shows.
  package var shown: [CommandTree] { (subcommands ?? []).filter(\.shouldDisplay) }

  /// Returns the subcommand with a name or an alias.
  package func child(_ word: String) -> CommandTree? {
    subcommands?.first { $0.commandName == word || $0.aliases?.contains(word) == true }
  }

  /// A part of a line that leads down the tree.
  package struct Path: Sendable {
    /// The command at the end of the path.
    package let command: CommandTree
    /// The words of the path.
    package let words: [String]
    /// The words after the path.
    package let rest: [String]
  }

  /// Follows words down the tree as far as they are commands.
  package func path(_ words: [String]) -> Path {
    var command = self
    var count = 0
    while count < words.count, let child = command.child(words[count]) {
      command = child
      count += 1
    }
    return Path(
      command: command, words: Array(words.prefix(count)), rest: Array(words.dropFirst(count)))
  }

  /// A word in place of a command, with the commands that may have been meant.
  package struct Unknown: Sendable, Hashable {
    /// The word.
    package let word: String
    /// The commands similar to the word, the nearest first.
    package let suggestions: [String]
  }

  /// Finds the first word that should be a command but is not.
  ///
  /// - Returns: `nil` when there is no such word, or when the word may be something else.
  package func unknown(_ words: [String]) -> Unknown? {
    let path = path(words)
    guard let word = path.rest.first, !word.hasPrefix("-"), !path.command.shown.isEmpty,
      !(path.command.arguments ?? []).contains(where: { $0.kind == "positional" })
    else { return nil }
    let suggestions = NearWords.of(word, among: path.command.shown.map(\.commandName))
    guard path.command.defaultSubcommand == nil || !suggestions.isEmpty else { return nil }
    return Unknown(word: word, suggestions: suggestions)
  }
}
