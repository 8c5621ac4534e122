/// The completions of the text typed so far.
package struct CommandCompletion: Sendable {
  /// A possible continuation.
  package struct Candidate: Sendable, Hashable {
    /// The whole word.
    package let word: String
    /// A description of the word; empty if there is none.
    package let meaning: String

    package init(_ word: String, _ meaning: String = "") {
      self.word = word
      self.meaning = meaning
    }
  }

  /// The effect of the Tab key.
  package struct Step: Sendable, Hashable {
    /// The text added to the line; empty if nothing is certain.
    package let insertion: String
    /// The continuations to choose from, if there is more than one.
    package let choices: [Candidate]
  }

  private let tree: CommandTree
  private let extra: [Candidate]

  /// Creates a completion.
  ///
  /// - Parameters:
  ///   - tree: the commands.
  ///   - extra: first words in addition to the tree's.
  package init(_ tree: CommandTree, extra: [Candidate] = []) {
    self.tree = tree
    self.extra = extra
  }

  /// Returns all words that fit at the end of the line and begin like its last word.
  ///
  /// - Parameter line: the text before the cursor.
  package func candidates(_ line: String) -> [Candidate] {
    let words = CommandWords(reading: line)
    guard !words.isUnfinishedQuoted, words.problem == nil else { return [] }
    let begun = words.unfinished ?? ""
    return all(after: words.complete, begun).filter { $0.word.hasPrefix(begun) }
  }

  /// Returns the effect of the Tab key: the certain continuation, or the choices.
  ///
  /// - Parameter line: the text before the cursor.
  package func step(_ line: String) -> Step {
    let candidates = candidates(line)
    let begun = CommandWords(reading: line).unfinished ?? ""
    guard let first = candidates.first else { return Step(insertion: "", choices: []) }
    if candidates.count == 1 {
      return Step(insertion: first.word.dropFirst(begun.count) + " ", choices: [])
    }
    let common = candidates.dropFirst().reduce(first.word) { $0.commonPrefix(with: $1.word) }
    return Step(insertion: String(common.dropFirst(begun.count)), choices: candidates)
  }

  private func all(after words: [String], _ begun: String) -> [Candidate] {
    if words.first == "help" { return commands(below: tree.path(Array(words.dropFirst())), words) }
    let path = tree.path(words)
    let arguments = (path.command.arguments ?? []).filter(\.shouldDisplay)
    if let last = path.rest.last, let option = option(last, arguments) {
      return (option.allValues ?? []).map { Candidate($0) }
    }
    if begun.hasPrefix("-") {
      return arguments.flatMap { argument in
        (argument.names ?? []).map { Candidate($0.typed, argument.meaning) }
      }
    }
    guard path.rest.isEmpty else { return [] }
    let values = arguments.filter { $0.kind == "positional" }.first?.allValues ?? []
    return commands(below: path, words) + values.map { Candidate($0) }
  }

  private func commands(below path: CommandTree.Path, _ words: [String]) -> [Candidate] {
    guard path.rest.isEmpty else { return [] }
    let own = path.command.shown.map { Candidate($0.commandName, $0.abstract ?? "") }
    guard path.words.isEmpty else { return own }
    let known = Set(own.map(\.word))
    return (own + (words.isEmpty ? extra.filter { !known.contains($0.word) } : []))
  }

  /// Returns the option that waits for its value.
  private func option(
    _ word: String, _ arguments: [CommandTree.Argument]
  ) -> CommandTree.Argument? {
    arguments.first { argument in
      argument.kind == "option" && (argument.names ?? []).contains { $0.typed == word }
    }
  }
}

extension String {
  /// Returns the longest prefix that two texts share.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
