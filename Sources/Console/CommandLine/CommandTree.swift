import Foundation

/// A command, its subcommands and what can follow it, as the command line's own library tells it.
///
/// Help, completion and the manual are made from it, so that they cannot differ from what is parsed.
public struct CommandTree: Sendable, Decodable {
  /// An option, a flag or a value that can follow a command.
  public struct Argument: Sendable, Decodable {
    /// A name, without its dashes.
    public struct Name: Sendable, Decodable {
      /// How many dashes it has: `long`, `short` or `longWithSingleDash`.
      public let kind: String
      /// The letters.
      public let name: String

      /// The name as it is typed.
      public var typed: String { (kind == "long" ? "--" : "-") + name }
    }

    /// What it is: `positional`, `option` or `flag`.
    public let kind: String
    /// Whether people are told of it.
    public let shouldDisplay: Bool
    /// Whether it may be left out.
    public let isOptional: Bool
    /// Whether it may come more than once.
    public let isRepeating: Bool
    /// Its names; `nil` for a positional one.
    public let names: [Name]?
    /// What stands for its value in help.
    public let valueName: String?
    /// What holds when it is left out.
    public let defaultValue: String?
    /// The words that it can be; `nil` for anything.
    public let allValues: [String]?
    /// What it does, in a sentence.
    public let abstract: String?
    /// More about it.
    public let discussion: String?
  }

  /// The command's word.
  public let commandName: String
  /// Other words for it.
  public let aliases: [String]?
  /// What it does, in a sentence.
  public let abstract: String?
  /// More about it.
  public let discussion: String?
  /// Whether people are told of it.
  public let shouldDisplay: Bool
  /// The subcommand that is meant when none is named.
  public let defaultSubcommand: String?
  /// The commands below it.
  public let subcommands: [CommandTree]?
  /// What can follow it.
  public let arguments: [Argument]?

  /// Reads the tree from what `_dumpHelp()` of swift-argument-parser gives.
  ///
  /// - Throws: `DecodingError` when it is of another version of that format.
  public static func read(_ json: String) throws -> CommandTree {
    struct Tool: Decodable {
      let command: CommandTree
    }
    return try JSONDecoder().decode(Tool.self, from: Data(json.utf8)).command
  }

  /// The commands below it that people are told of.
  public var shown: [CommandTree] { (subcommands ?? []).filter(\.shouldDisplay) }

  /// The command below it that a word means.
  public func child(_ word: String) -> CommandTree? {
    subcommands?.first { $0.commandName == word || $0.aliases?.contains(word) == true }
  }

  /// How far words lead down the tree.
  public struct Path: Sendable {
    /// The command that is reached.
    public let command: CommandTree
    /// The words that led to it.
    public let words: [String]
    /// The words after them.
    public let rest: [String]
  }

  /// Follows words down the tree as far as they are commands.
  public func path(_ words: [String]) -> Path {
    var command = self
    var count = 0
    while count < words.count, let child = command.child(words[count]) {
      command = child
      count += 1
    }
    return Path(
      command: command, words: Array(words.prefix(count)), rest: Array(words.dropFirst(count)))
  }

  /// A word where a command should be, and the commands that it may have been meant to be.
  public struct Unknown: Sendable, Hashable {
    /// The word.
    public let word: String
    /// The commands that are near it, the nearest first.
    public let suggestions: [String]
  }

  /// Finds the first word that should be a command and is none.
  ///
  /// - Returns: `nil` when there is no such word, or when it may be something else.
  public func unknown(_ words: [String]) -> Unknown? {
    let path = path(words)
    guard let word = path.rest.first, !word.hasPrefix("-"), !path.command.shown.isEmpty,
      !(path.command.arguments ?? []).contains(where: { $0.kind == "positional" })
    else { return nil }
    let suggestions = NearWords.of(word, among: path.command.shown.map(\.commandName))
    guard path.command.defaultSubcommand == nil || !suggestions.isEmpty else { return nil }
    return Unknown(word: word, suggestions: suggestions)
  }
}
